// The charter envelope, version 1.2. docs/contract.md [R-ENV-1..6].

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/cut.h"
#include "json/value.h"
#include "tool/renderer.h"

namespace schemaward::tool {
namespace {

constexpr std::string_view kCharterVersion = "1.2";
constexpr std::size_t kMessageMax =
    600;  // characters; with the other bounds an error stays under the contract's 8,000
constexpr std::size_t kProseMax = 1000;  // of detail and hint each
constexpr std::size_t kRewriteMax = 1500;

void AppendMember(std::string& out, std::string_view name) {
  if (out.back() != '{') out += ',';
  json::AppendQuoted(out, name);
  out += ':';
}

void AppendText(std::string& out, std::string_view name, std::string_view text, std::size_t most) {
  AppendMember(out, name);
  if (text.empty()) {
    out += "null";
  } else {
    json::AppendQuoted(out, HeadOf(text, most));
  }
}

void AppendNames(std::string& out, std::string_view name, const std::vector<std::string>& names) {
  AppendMember(out, name);
  if (names.empty()) {
    out += "null";
    return;
  }
  json::Append(out, names);
}

void AppendRecovery(std::string& out, const Recovery& recovery) {
  out += '{';
  AppendText(out, "suggested_tool", recovery.call ? recovery.call->tool : "", kMessageMax);
  AppendMember(out, "suggested_args");
  out += recovery.call ? recovery.call->args_json : "null";
  AppendNames(out, "fuzzy_matches", recovery.fuzzy_matches);
  AppendMember(out, "suggested_rewrite");
  if (recovery.rewrite) {
    out += '{';
    AppendText(out, "rewritten", recovery.rewrite->rewritten, kRewriteMax);
    AppendText(out, "reason", recovery.rewrite->reason, kMessageMax);
    out += '}';
  } else {
    out += "null";
  }
  AppendMember(out, "widening_hint");
  if (recovery.widening) {
    out += '{';
    AppendText(out, "scope_requested", recovery.widening->scope_requested, kMessageMax);
    AppendText(out, "would_unblock", recovery.widening->would_unblock, kMessageMax);
    AppendText(out, "reason", recovery.widening->reason, kMessageMax);
    out += '}';
  } else {
    out += "null";
  }
  out += '}';
}

void AppendError(std::string& out, const Error& error) {
  const ErrorRow& row = error.row();
  out += '{';
  AppendText(out, "kind", row.kind, kMessageMax);
  AppendText(out, "reason", row.reason, kMessageMax);
  AppendText(out, "message", error.message(), kMessageMax);
  AppendText(out, "detail", error.detail(), kProseMax);
  AppendText(out, "hint", error.hint(), kProseMax);
  AppendMember(out, "retryable");
  out += row.retryable ? "true" : "false";
  AppendMember(out, "retry_after_ms");
  out += error.retry_after_ms() ? fmt::format("{}", *error.retry_after_ms()) : "null";
  AppendNames(out, "pii_categories", error.pii_categories());
  AppendMember(out, "recovery");
  AppendRecovery(out, error.recovery());
  out += '}';
}

// Invalid arguments have no envelope: words, then one line of JSON that is the repaired call.
// [R-ARG-2]
Answer RenderInvalidArgument(const Error& error) {
  Answer answer;
  answer.is_error = true;
  answer.exit_code = error.row().exit_code;
  answer.text = std::string(HeadOf(error.message(), 2 * kMessageMax)) + '\n';
  std::string line = "{";
  AppendText(line, "kind", error.row().kind, kMessageMax);
  AppendText(line, "suggested_tool", error.recovery().call ? error.recovery().call->tool : "",
             kMessageMax);
  AppendMember(line, "suggested_args");
  line += error.recovery().call ? error.recovery().call->args_json : "null";
  answer.text += line + '}';
  return answer;
}

std::string StringEnum(std::initializer_list<std::string_view> words) {
  std::string out = "\"type\":\"string\",\"enum\":[";
  for (std::string_view word : words) out += (out.back() == '[' ? "" : ",") + json::Quote(word);
  return out + ']';
}

std::string Nullable(const std::string& schema) {
  return "{\"anyOf\":[{" + schema + "},{\"type\":\"null\"}]}";
}

std::string KindEnum() {
  std::vector<std::string_view> kinds;
  for (const ErrorRow& row : AllErrorRows())
    if (std::find(kinds.begin(), kinds.end(), row.kind) == kinds.end()) kinds.push_back(row.kind);
  std::string out = "\"type\":\"string\",\"enum\":[";
  for (std::string_view kind : kinds) out += (out.back() == '[' ? "" : ",") + json::Quote(kind);
  return out + ']';
}

std::string ErrorSchema() {
  const std::string text = R"("type":"string")";
  const std::string names = R"("type":"array","items":{"type":"string"})";
  const std::string rewrite =
      R"("type":"object","properties":{"rewritten":{"type":"string"},"reason":{"type":"string"}})";
  const std::string widening =
      R"("type":"object","properties":{"scope_requested":{"type":"string"},"would_unblock":{"type":"string"},"reason":{"type":"string"}})";
  const std::string recovery =
      R"("type":"object","properties":{"suggested_tool":)" + Nullable(text) +
      R"(,"suggested_args":)" + Nullable(R"("type":"object")") + R"(,"fuzzy_matches":)" +
      Nullable(names) + R"(,"suggested_rewrite":)" + Nullable(rewrite) + R"(,"widening_hint":)" +
      Nullable(widening) +
      R"(},"required":["suggested_tool","suggested_args","fuzzy_matches","suggested_rewrite","widening_hint"])";
  return R"("type":"object","properties":{"kind":{)" + KindEnum() +
         R"(},"reason":{"type":"string"},"message":{"type":"string"},"detail":)" + Nullable(text) +
         R"(,"hint":)" + Nullable(text) + R"(,"retryable":{"type":"boolean"},"retry_after_ms":)" +
         Nullable(R"("type":"integer")") + R"(,"pii_categories":)" + Nullable(names) +
         R"(,"recovery":{)" + recovery +
         R"(}},"required":["kind","reason","message","retryable","recovery"])";
}

class Charter final : public Renderer {
 public:
  std::string OutputSchema(const std::string& data_schema) const override {
    const std::string inner = data_schema.substr(1, data_schema.size() - 2);
    return R"({"type":"object","properties":{"status":{)" +
           StringEnum({"success", "empty", "partial", "degraded", "error", "refused"}) +
           R"(},"data":)" + Nullable(inner) + R"(,"error":)" + Nullable(ErrorSchema()) +
           R"(,"confidence":)" + Nullable(StringEnum({"HIGH", "MEDIUM", "LOW"})) +
           R"(,"provenance":)" + Nullable(ProvenanceSchema()) + R"(,"follow_up_hints":)" +
           Nullable(R"("type":"array","items":{"type":"string"})") + R"(,"degradation_reason":)" +
           Nullable(StringEnum(
               {"fan_out_join", "time_dimension_unavailable", "missing_order_by_with_limit"})) +
           R"(,"charter_version":{"type":"string"}},"required":["status","data","error","confidence","provenance","follow_up_hints","degradation_reason","charter_version"]})";
  }

  Answer Render(const Reply& reply, const RenderInfo& /*info*/) const override {
    if (reply.error && reply.error->row().kind == "invalid_argument")
      return RenderInvalidArgument(*reply.error);
    Answer answer;
    answer.is_error = reply.error.has_value();
    answer.exit_code = reply.error ? reply.error->row().exit_code : 0;
    std::string& out = answer.structured;
    out.reserve(reply.data_json.size() + 512);
    out += '{';
    AppendMember(out, "status");
    json::AppendQuoted(out, StatusWord(reply));
    AppendMember(out, "data");
    out += reply.error || reply.data_json.empty() ? std::string_view("null")
                                                  : std::string_view(reply.data_json);
    AppendMember(out, "error");
    if (reply.error) {
      AppendError(out, *reply.error);
    } else {
      out += "null";
    }
    AppendTrust(out, reply);
    AppendText(out, "charter_version", kCharterVersion, kMessageMax);
    out += '}';
    answer.text = out;
    return answer;
  }

 private:
  static std::string ProvenanceSchema() {
    const std::string schema = json::SchemaOf<Provenance>(json::SchemaUse::Output);
    return schema.substr(1, schema.size() - 2);
  }

  static std::string_view StatusWord(const Reply& reply) {
    if (reply.error) return reply.error->row().status == FailStatus::Refused ? "refused" : "error";
    return json::EnumNames<Status>::kNames[static_cast<std::size_t>(reply.status)];
  }

  // Confidence does not apply to errors and empty answers. [R-CONF-1]
  static void AppendTrust(std::string& out, const Reply& reply) {
    const bool trusted = !reply.error && reply.status != Status::Empty;
    AppendMember(out, "confidence");
    json::Append(out, trusted ? reply.confidence : std::optional<Confidence>());
    AppendMember(out, "provenance");
    json::Append(out, trusted && reply.confidence ? reply.provenance : std::optional<Provenance>());
    AppendNames(out, "follow_up_hints",
                reply.error ? std::vector<std::string>() : reply.follow_up_hints);
    AppendMember(out, "degradation_reason");
    json::Append(out, !reply.error && reply.status == Status::Degraded
                          ? reply.degradation
                          : std::optional<Degradation>());
  }
};

}  // namespace

const Renderer& CharterRenderer() {
  static const Charter renderer;
  return renderer;
}

}  // namespace schemaward::tool
