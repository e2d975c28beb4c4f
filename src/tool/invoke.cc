#include "tool/invoke.h"

#include <algorithm>
#include <exception>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/log.h"
#include "base/without_values.h"
#include "tool/renderer.h"

namespace schemaward::tool {
namespace {

constexpr std::string_view kHttp = "http";  // the transport of callers with tokens
constexpr std::size_t kHintsMax = 3;
constexpr std::size_t kSuggestedArgsMax =
    3000;  // bytes; keeps an error under the contract's 8,000 characters

// Whether a call with these arguments may reach a source. A flag that is written in a way that
// reading would refuse counts as set.
bool TouchesSource(const ToolSpec& spec, const json::Value& args) {
  if (spec.effect == Effect::Pure || spec.effect == Effect::ReadsIndex) return false;
  if (spec.source_flag.empty()) return true;
  const auto flag = args.is_object() ? args.find(spec.source_flag) : args.end();
  return args.is_object() && flag != args.end() && !flag->is_null() &&
         *flag != json::Value(false) && *flag != json::Value("false");
}

std::string SourceIn(const json::Value& args) {
  const bool is_there = args.is_object() && args.contains("source") && args["source"].is_string();
  return is_there ? args["source"].get<std::string>() : std::string();
}

audit::BeginRecord BeginOf(std::string_view tool, const json::Value& args, std::string_view profile,
                           const CallContext& ctx) {
  audit::BeginRecord record;
  record.profile = profile;
  record.request_id = ctx.request_id;
  record.principal = ctx.principal.id;
  record.client = ctx.principal.client;
  record.transport = ctx.principal.transport;
  record.tool = std::string(tool);
  record.args_json = json::Canonical(args);
  record.source = SourceIn(args);
  return record;
}

std::string_view StatusOf(const Reply& reply) {
  if (!reply.error) return json::EnumNames<Status>::kNames[static_cast<std::size_t>(reply.status)];
  return reply.error->row().status == FailStatus::Refused ? "refused" : "error";
}

// Of a statement that failed an engine names the value and repeats the text; no log keeps either.
// What stands first, such as "1292 (22007) ", is the error's number.
std::string DetailOf(const Error& error) {
  constexpr std::size_t kNumberMax = 13;
  const std::string_view text = error.private_detail();
  if (error.kind() != ErrorKind::SqlRuntime) return std::string(text);
  const std::string_view line = text.substr(0, text.find('\n'));
  const std::size_t bracket = line.substr(0, kNumberMax).find(") ");
  const std::size_t number = bracket == std::string_view::npos ? 0 : bracket + 2;
  return std::string(line.substr(0, number)) + WithoutValues(line.substr(number));
}

audit::EndRecord EndOf(const audit::RecordId& begin, const Reply& reply, const Answer& answer,
                       std::int64_t duration_us, std::string_view profile) {
  audit::EndRecord record;
  record.begin = begin;
  record.profile = profile;
  record.rows = reply.rows;
  record.bytes = static_cast<std::int64_t>(answer.structured.empty() ? answer.text.size()
                                                                     : answer.structured.size());
  record.duration_us = duration_us;
  record.tables = reply.tables;
  record.statement = reply.statement;
  record.metric = reply.metric;
  record.exemptions = reply.exemptions;
  record.status = StatusOf(reply);
  if (!reply.error) return record;
  const Error& error = *reply.error;
  record.error_kind = error.row().kind;
  record.reason = error.row().reason;
  record.pii_categories = error.pii_categories();
  record.detail = DetailOf(error);
  if (error.recovery().call) {
    record.recovery_tool = error.recovery().call->tool;
    record.recovery_args_json = error.recovery().call->args_json;
  }
  return record;
}

Error UnknownTool(std::string_view tool, const Registry& registry, const json::Value& args) {
  const std::vector<std::string> near = registry.Nearest(tool);
  std::string message = "no tool is named \"" + std::string(tool) + "\"";
  if (!near.empty()) message += "; the nearest is \"" + near.front() + "\"";
  Error error(ErrorKind::UnknownTool, std::move(message));
  if (near.empty()) return error;
  const Tool* nearest = registry.Find(near.front());
  const json::ReadReport report = nearest->CheckArguments(args);
  error.Suggest(near.front(), report.ok()
                                  ? json::Canonical(args.is_null() ? json::Value::object() : args)
                                  : report.repaired);
  error.Near(near);
  return error;
}

bool IsGranted(const Principal& caller, const std::string& scope) {
  return std::find(caller.scopes.begin(), caller.scopes.end(), scope) != caller.scopes.end();
}

// Returns one scope of each choice: one that the caller has, else the first.
std::vector<std::string> ScopesToAskFor(const std::vector<ScopeChoice>& needed,
                                        const Principal& caller) {
  std::vector<std::string> scopes;
  for (const ScopeChoice& choice : needed) {
    const auto had = std::find_if(choice.begin(), choice.end(), [&](const std::string& scope) {
      return IsGranted(caller, scope);
    });
    const std::string& scope = had == choice.end() ? choice.front() : *had;
    if (std::find(scopes.begin(), scopes.end(), scope) == scopes.end()) scopes.push_back(scope);
  }
  return scopes;
}

Error ScopeRefusal(const std::string& tool, const std::vector<ScopeChoice>& needed,
                   const Principal& caller) {
  std::vector<std::string> choices;
  for (const ScopeChoice& choice : needed)
    choices.push_back(fmt::format("\"{}\"", fmt::join(choice, "\" or \"")));
  Error error(ErrorKind::PolicyBlocked, fmt::format("tool \"{}\" needs a token with the scope {}",
                                                    tool, fmt::join(choices, ", and ")));
  error.recovery().widening =
      Widening{fmt::format("{}", fmt::join(ScopesToAskFor(needed, caller), " ")),
               fmt::format("calling tool \"{}\"", tool),
               "The caller's token was not granted it; one that was lets the call through."};
  return error;
}

// What the answer to a call of the pattern family holds. Arguments that cannot be read have one
// too, and a format that is no format has the default. [R-PAT-1]
Format FormatOf(const Tool* tool, const json::Value& args) {
  if (tool == nullptr || !tool->spec().has_format) return Format::Markdown;
  const auto given = args.is_object() ? args.find("format") : args.end();
  if (!args.is_object() || given == args.end() || !given->is_string()) return Format::Markdown;
  const auto& names = json::EnumNames<Format>::kNames;
  const auto found = std::find(names.begin(), names.end(), given->get_ref<const std::string&>());
  return found == names.end() ? Format::Markdown : static_cast<Format>(found - names.begin());
}

// The arguments without the one that a rehearsal added.
std::string Without(const std::string& args_json, const std::string& name) {
  const auto args = json::Parse(args_json);
  if (!args || !args->value().is_object()) return args_json;
  json::Value plain = args->value();
  plain.erase(name);
  return json::Canonical(plain);
}

// 7. The only catch.
Reply CallSafely(const Tool& tool, const json::Value& args, CallContext& ctx) {
  Reply reply;
  try {
    reply = tool.Call(args, ctx);
  } catch (const std::exception& e) {
    reply = Reply();
    reply.error =
        Error(ErrorKind::Internal, "the call failed for a reason that lies in this program");
    reply.error->Private(e.what());
  }
  return reply;
}

}  // namespace

Invoker::Invoker(const Registry& registry, audit::Log& log, InvokeOptions options)
    : registry_(registry), log_(log), options_(std::move(options)) {}

std::string Invoker::ProfileOf(const json::Value& args) const {
  if (!options_.profile_of) return std::string(privacy::NameOf(options_.policy.profile()));
  return options_.profile_of(SourceIn(args));
}

Invoker::Begun Invoker::Begin(std::string_view tool, const json::Value& args,
                              audit::Durability durability, const CallContext& ctx) const {
  std::string profile = ProfileOf(args);
  Result<audit::RecordId> record = log_.Begin(BeginOf(tool, args, profile, ctx), durability);
  return {std::move(profile), std::move(record)};
}

Answer Invoker::Invoke(std::string_view tool, const json::Value& args, CallContext& ctx) const {
  const auto started = ctx.clock.Now();
  // The tool is looked up before its begin is written, since what it touches decides how long the
  // begin is waited for.
  const Tool* found = registry_.Find(tool);
  const bool reads_index = found != nullptr && found->spec().effect == Effect::ReadsIndex;
  const auto reading = reads_index && options_.reading ? options_.reading() : nullptr;
  const auto durability = found != nullptr && TouchesSource(found->spec(), args)
                              ? audit::Durability::Now
                              : audit::Durability::Soon;

  // 1. Audit begin. Where it cannot be written nothing runs.
  const Begun begun = Begin(tool, args, durability, ctx);
  // The deadline of this call is not that of a run which makes many.
  const Deadline of_caller = ctx.deadline;
  Reply reply;
  if (!begun.record) {
    reply.error = begun.record.error();
  } else {
    reply = Run(found, tool, args, ctx);  // steps 2 to 7
  }
  Answer answer = Finish(found, args, begun, std::move(reply), started, ctx);
  ctx.deadline = of_caller;
  return answer;
}

Answer Invoker::Refuse(std::string_view tool, const json::Value& args, Error error,
                       CallContext& ctx) const {
  const auto started = ctx.clock.Now();
  const Begun begun = Begin(tool, args, audit::Durability::Soon, ctx);
  Reply reply;
  if (begun.record)
    reply.error = std::move(error);
  else
    reply.error = begun.record.error();
  return Finish(registry_.Find(tool), args, begun, std::move(reply), started, ctx);
}

Answer Invoker::Finish(const Tool* found, const json::Value& args, const Begun& begun, Reply reply,
                       std::chrono::steady_clock::time_point started, CallContext& ctx) const {
  // 8. A suggested call must be one that works.
  SettleRecovery(reply, found, ctx);
  KeepServedHints(reply);

  // 10. The family's shape, made before the audit end so that its size is known.
  const auto duration_us =
      std::chrono::duration_cast<std::chrono::microseconds>(ctx.clock.Now() - started).count();
  const Family family = found != nullptr ? found->spec().family : Family::Charter;
  Answer answer = RendererOf(family).Render(
      reply, {duration_us, ctx.clock.UnixMicros(), ctx.principal.id, FormatOf(found, args)});
  if (reply.error) answer.failure = reply.error->message();
  const bool waits_for_word =
      reply.error && reply.error->kind() == ErrorKind::ConfirmationRequired && found != nullptr;
  if (waits_for_word && !found->spec().confirmation.empty())
    answer.question = reply.error->detail();
  if (found != nullptr && reply.error && reply.error->kind() == ErrorKind::PolicyBlocked) {
    const auto* lacking = ScopesLacking(*found, ctx.principal);
    if (lacking != nullptr) answer.scopes_needed = ScopesToAskFor(*lacking, ctx.principal);
  }

  // 9. Audit end. The answer stands even where this fails: the begin without an end is what verify
  // reports.
  if (begun.record) {
    const auto ended = log_.End(EndOf(*begun.record, reply, answer, duration_us, begun.profile));
    if (!ended)
      log::Write(log::Level::Error, ctx.request_id, "audit_end", ended.error().ToLogText());
  }
  if (options_.metrics != nullptr)
    options_.metrics->Count(
        {.tool = found != nullptr ? std::string_view(found->spec().name) : "unknown",
         .status = StatusOf(reply),
         .kind = reply.error ? std::string_view(reply.error->row().kind) : "",
         .reason = reply.error ? std::string_view(reply.error->row().reason) : "",
         .duration_us = duration_us});
  const std::string_view event = found != nullptr ? std::string_view(found->spec().name) : "call";
  if (reply.error) {
    Error told = *reply.error;
    told.Private(DetailOf(*reply.error));
    log::Write(log::Level::Info, ctx.request_id, event, told.ToLogText());
  }
  for (const std::string& warning : ctx.warnings)
    log::Write(log::Level::Warn, ctx.request_id, event, warning);
  return answer;
}

bool Invoker::IsAllowed(const Tool& tool, const Principal& caller) const {
  return options_.policy.For(caller).AllowsTool(tool.spec().name, tool.spec().set);
}

// Returns what the tool's set needs where the caller lacks any of it and nothing else forbids the
// tool, else null: no scope opens what the policy denies. On a pipe there are no tokens, so nothing
// is lacking.
const std::vector<ScopeChoice>* Invoker::ScopesLacking(const Tool& tool,
                                                       const Principal& caller) const {
  const auto needed = options_.scopes.find(tool.spec().set);
  if (needed == options_.scopes.end() || caller.transport != kHttp) return nullptr;
  const auto has_one = [&](const ScopeChoice& choice) {
    return std::any_of(choice.begin(), choice.end(),
                       [&](const std::string& scope) { return IsGranted(caller, scope); });
  };
  const bool has_all = std::all_of(needed->second.begin(), needed->second.end(), has_one);
  return has_all || !IsAllowed(tool, caller) ? nullptr : &needed->second;
}

std::optional<Error> Invoker::Forbidden(const Tool& tool, const Principal& caller) const {
  if (!IsAllowed(tool, caller)) return privacy::DeniedRefusal("tool", tool.spec().name);
  const auto* lacking = ScopesLacking(tool, caller);
  if (lacking == nullptr) return std::nullopt;
  return ScopeRefusal(tool.spec().name, *lacking, caller);
}

Reply Invoker::Run(const Tool* found, std::string_view tool, const json::Value& args,
                   CallContext& ctx) const {
  Reply reply;
  // 2. Find the tool.
  if (found == nullptr) {
    reply.error = UnknownTool(tool, registry_, args);
    return reply;
  }
  // 4. What this caller may use. What a tool reads is checked where it reads.
  if (auto refusal = Forbidden(*found, ctx.principal)) {
    reply.error = std::move(refusal);
    reply.error->Suggest("list_indexed_schemas", "{}");
    return reply;
  }
  // 5. Arm the deadline.
  ctx.deadline = ctx.deadline.Earlier(Deadline::After(ctx.clock, options_.deadline));
  // 3 and 6. Read the arguments and run.
  try {
    if (const auto status = ctx.Check(); !status) {
      reply.error = status.error();
    } else {
      reply = CallOrRepeat(*found, args, ctx);
    }
  } catch (const std::exception& e) {  // 7. The only catch.
    reply = Reply();
    reply.error =
        Error(ErrorKind::Internal, "the call failed for a reason that lies in this program");
    reply.error->Private(e.what());
  }
  return reply;
}

// A reply is kept only where the index stayed as it was from the first read to the last, and where
// it left nothing for the log.
Reply Invoker::CallOrRepeat(const Tool& tool, const json::Value& args, CallContext& ctx) const {
  const auto stamp = tool.spec().repeats && options_.stamp ? options_.stamp() : std::nullopt;
  if (!stamp) return tool.Call(args, ctx);
  const std::string key = CallKey(tool.spec().name, args, ctx.principal);
  const auto now = ctx.clock.Now();
  if (const auto kept = kept_.Find(key, *stamp, now)) return *kept;
  Reply reply = tool.Call(args, ctx);
  if (!reply.error && ctx.warnings.empty() && options_.stamp() == stamp)
    kept_.Keep(key, *stamp, now, reply);
  return reply;
}

// Makes the suggested call where that touches the index only, or rehearses it where it can be. What
// it would fail of is mended by its own recovery, so that one call carries every correction.
// Returns nothing where no call works. [R-REC-1] [R-REC-2]
std::optional<SuggestedCall> Invoker::TryOut(SuggestedCall call, CallContext& ctx) const {
  constexpr int kRounds = 4;
  for (int round = 0; round < kRounds; ++round) {
    const Tool* next = registry_.Find(call.tool);
    const auto args = json::Parse(call.args_json);
    const bool reads = next != nullptr && args && call.args_json.size() <= kSuggestedArgsMax &&
                       next->CheckArguments(args->value()).ok();
    if (!reads) {
      log::Write(log::Level::Warn, ctx.request_id, "recovery_dropped",
                 call.tool + " " + call.args_json);
      return std::nullopt;
    }
    if (Forbidden(*next, ctx.principal)) return std::nullopt;
    const std::string& rehearsal = next->spec().rehearsal;
    if (TouchesSource(next->spec(), args->value()) && rehearsal.empty()) return call;
    json::Value rehearsed = args->value();
    const bool added = !rehearsal.empty() && !rehearsed.contains(rehearsal);
    if (added) rehearsed[rehearsal] = true;
    const Reply answer = CallSafely(*next, rehearsed, ctx);
    if (!answer.error) {
      if (answer.rehearsal_only) call.args_json = json::Canonical(rehearsed);
      return call;
    }
    if (!answer.error->recovery().call) return std::nullopt;
    call = *answer.error->recovery().call;
    if (added) call.args_json = Without(call.args_json, rehearsal);
  }
  return std::nullopt;
}

void Invoker::SettleRecovery(Reply& reply, const Tool* from, CallContext& ctx) const {
  if (!reply.error) return;
  Recovery& recovery = reply.error->recovery();
  if (recovery.call) recovery.call = TryOut(*recovery.call, ctx);
  if (recovery.call) return;
  // There is always a next call, for whoever may use any tool: the first that needs no arguments,
  // else the first with its example.
  for (const Tool* next : registry_.served()) {
    if (next == from || !next->CheckArguments(json::Value::object()).ok()) continue;
    if (Forbidden(*next, ctx.principal)) continue;
    recovery.call = SuggestedCall{next->spec().name, "{}"};
    return;
  }
  for (const Tool* next : registry_.served()) {
    if (Forbidden(*next, ctx.principal)) continue;
    recovery.call = SuggestedCall{next->spec().name, next->spec().example_json};
    return;
  }
}

void Invoker::KeepServedHints(Reply& reply) const {
  auto& hints = reply.follow_up_hints;
  std::erase_if(hints, [&](const std::string& name) { return registry_.Find(name) == nullptr; });
  if (hints.empty() && !registry_.served().empty())
    hints.push_back(registry_.served().front()->spec().name);
  if (hints.size() > kHintsMax) hints.resize(kHintsMax);
}

}  // namespace schemaward::tool
