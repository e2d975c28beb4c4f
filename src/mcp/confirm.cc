#include "mcp/confirm.h"

#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/cut.h"
#include "tool/cursor.h"

namespace schemaward::mcp {
namespace {

constexpr std::size_t kLossMax = 500;  // bytes of what would be lost, in a question
constexpr std::string_view kForeignState =
    "params.requestState was not made by this server for this call";
constexpr std::string_view kNotAgain = "Do not make the call again unless the user asks for it.";
constexpr std::string_view kAskUser =
    "Ask the user. Only where they agree, make the call again and say so in its arguments.";

Error Declined() {
  return Error(ErrorKind::ConfirmationDeclined, "the user did not agree; nothing was done")
      .Hint(kNotAgain);
}

Error Unanswered(std::string_view why) {
  return Error(ErrorKind::ConfirmationRequired, fmt::format("{}; nothing was done", why))
      .Hint(kAskUser);
}

// One call, and the talk about it. Thread: owner.
class Talk {
 public:
  Talk(Parts& parts, const Call& call, const tool::ToolSpec& spec, const json::Value& arguments,
       CallContext& ctx)
      : parts_(parts),
        call_(call),
        spec_(spec),
        arguments_(arguments.is_null() ? json::Value::object() : arguments),
        ctx_(ctx),
        deadline_(ctx.deadline) {}

  Outcome Hold() {
    const auto state = call_.params().find("requestState");
    if (!IsModern(call_.revision) || state == call_.params().end()) return Begin();
    return Return(*state);
  }

 private:
  // The call as it stands; it does something only where its arguments say that it may.
  Outcome Begin() {
    tool::Answer answer = parts_.invoker.Invoke(spec_.name, arguments_, ctx_);
    if (answer.question.empty() || !call_.can_ask_user) return answer;
    if (!IsModern(call_.revision) && !call_.reply.peer().CanSend()) return answer;
    if (!IsModern(call_.revision)) return AskNow(std::move(answer));
    if (parts_.invoker.state_key().empty()) return answer;
    return AskByResult(answer.question);
  }

  // The client has come back with the state of a question.
  Outcome Return(const json::Value& state) {
    const auto asked_at = state.is_string() ? Opened(state.get_ref<const std::string&>())
                                            : std::optional<std::int64_t>();
    if (!asked_at) return rpc::Failure(rpc::Code::InvalidParams, std::string(kForeignState));
    const auto answers = call_.params().find("inputResponses");
    const bool has_answer = answers != call_.params().end() && answers->is_object() &&
                            answers->contains(std::string(kConsentKey));
    if (!has_answer) return Begin();
    const std::chrono::microseconds asked(*asked_at);
    const std::chrono::microseconds now(ctx_.clock.UnixMicros());
    if (now - asked > kConsentGoodMax) return Refuse(Unanswered("the user's answer came too late"));
    const Consent consent = ConsentIn(*answers->find(std::string(kConsentKey)));
    const bool is_used =
        consent == Consent::Given &&
        !parts_.consents.Use(state.get_ref<const std::string&>(), asked, now, kConsentGoodMax);
    if (is_used) return Refuse(Unanswered("the user's answer has been used before"));
    return Settle(consent);
  }

  Outcome AskByResult(const std::string& loss) {
    tool::CursorState state = State();
    state.position = std::to_string(ctx_.clock.UnixMicros());
    const std::string members = fmt::format(
        R"("inputRequests":{{"{}":{{"method":"elicitation/create","params":{}}}}},"requestState":{})",
        kConsentKey, ConsentForm(loss),
        json::Quote(tool::SealCursor(parts_.invoker.state_key(), state)));
    return Question{ResultOf(parts_, call_.revision, members, "input_required")};
  }

  // Waits for the answer; the question is taken back where it does not come.
  Outcome AskNow(tool::Answer unasked) {
    const auto place = parts_.consents.Wait();
    if (!place) return unasked;  // too many workers wait: the argument still helps
    CallContext waiting(ctx_.clock);
    waiting.stop = ctx_.stop;
    waiting.deadline = Deadline::After(ctx_.clock, parts_.options().consent_max);
    const auto said = call_.session->asks().Ask(
        "elicitation/create", ConsentForm(unasked.question),
        [&](std::string_view message) { call_.reply.Notify(message); }, waiting);
    if (said) {
      const auto answer = json::Parse(*said);
      return Settle(answer ? ConsentIn(answer->value()) : Consent::Unreadable);
    }
    switch (said.error().kind()) {
      case ErrorKind::DeadlineExceeded:
        return Refuse(Unanswered("the user did not answer in time"));
      case ErrorKind::SourceUnreachable:
        return Refuse(Unanswered("the client left before the user had answered"));
      default:  // it could not ask: as if it had never said that it can
        return unasked;
    }
  }

  Outcome Settle(Consent consent) {
    switch (consent) {
      case Consent::Declined:
        return Refuse(Declined());
      case Consent::Unreadable:
        return Refuse(Unanswered("the answer to the question cannot be read"));
      case Consent::Given:
        break;
    }
    json::Value agreed = arguments_;
    agreed[spec_.confirmation] = true;
    ctx_.deadline = deadline_;  // the time that the user took is not the call's
    return parts_.invoker.Invoke(spec_.name, agreed, ctx_);
  }

  Outcome Refuse(Error why) {
    return parts_.invoker.Refuse(spec_.name, arguments_, std::move(why), ctx_);
  }

  // What a state is made for. No list's cursor is one: its tool has another name.
  tool::CursorState State() const {
    return {"consent:" + spec_.name, tool::HashArguments(json::Canonical(arguments_)), 0, "",
            ctx_.principal.id};
  }

  // Returns when the question of `state` was asked, in microseconds since 1970.
  std::optional<std::int64_t> Opened(std::string_view state) const {
    const std::string& key = parts_.invoker.state_key();
    if (key.empty()) return std::nullopt;
    const auto position = tool::OpenCursor(key, state, State());
    std::int64_t asked_at = 0;
    if (!position) return std::nullopt;
    const char* end = position->data() + position->size();
    if (std::from_chars(position->data(), end, asked_at).ptr != end) return std::nullopt;
    return asked_at;
  }

  Parts& parts_;
  const Call& call_;
  const tool::ToolSpec& spec_;
  const json::Value arguments_;
  CallContext& ctx_;
  const Deadline deadline_;  // the call's own, before it was armed
};

}  // namespace

Consent ConsentIn(const json::Value& answer) {
  const auto action = answer.is_object() ? answer.find("action") : answer.end();
  if (!answer.is_object() || action == answer.end() || !action->is_string())
    return Consent::Unreadable;
  if (*action == "decline" || *action == "cancel") return Consent::Declined;
  const auto content = answer.find("content");
  const bool has_box = *action == "accept" && content != answer.end() && content->is_object() &&
                       content->contains(std::string(kConsentKey));
  if (!has_box) return Consent::Unreadable;
  const json::Value& box = *content->find(std::string(kConsentKey));
  if (!box.is_boolean()) return Consent::Unreadable;
  return box.get<bool>() ? Consent::Given : Consent::Declined;
}

std::string ConsentForm(std::string_view loss) {
  return fmt::format(
      R"({{"message":{},"requestedSchema":{{"type":"object","properties":{{"{}":{{"type":"boolean","title":"Go ahead","description":"This cannot be undone","default":false}}}},"required":["{}"]}}}})",
      json::Quote(CutText(loss, kLossMax) + ". Go ahead?"), kConsentKey, kConsentKey);
}

Outcome CallWithConsent(Parts& parts, const Call& call, const json::Value& arguments,
                        CallContext& ctx) {
  const auto& name = call.params().find("name")->get_ref<const std::string&>();
  const tool::Tool* found = parts.invoker.registry().Find(name);
  const bool waits = found != nullptr && !found->spec().confirmation.empty() &&
                     (arguments.is_null() || arguments.is_object());
  // A question that nobody here has asked: the call would begin anew, which nobody meant.
  if (!waits && IsModern(call.revision) && call.params().contains("requestState"))
    return rpc::Failure(rpc::Code::InvalidParams, std::string(kForeignState));
  if (!waits) return parts.invoker.Invoke(name, arguments, ctx);
  return Talk(parts, call, found->spec(), arguments, ctx).Hold();
}

}  // namespace schemaward::mcp
