// The workspace family: status, message, data, metadata; absent members are absent.
// docs/contract.md [R-WS-1].

#include <fmt/format.h>

#include "base/clock.h"
#include "base/cut.h"
#include "json/value.h"
#include "tool/renderer.h"

namespace schemaward::tool {
namespace {

constexpr std::size_t kMessageMax = 3'000;  // bytes; with the details an error fits 8,000
constexpr std::size_t kDetailsMax = 3'500;  // bytes of facts; a fact that does not fit is left out

std::string Metadata(const RenderInfo& info, const std::string& user_id) {
  constexpr double kMicrosPerMilli = 1000.0;
  std::string timestamp = ToIsoUtc(info.now_us);
  timestamp.replace(timestamp.size() - 1, 1, "+00:00");
  std::string out = fmt::format(R"({{"execution_time_ms":{:.2f},"timestamp":"{}")",
                                static_cast<double>(info.duration_us) / kMicrosPerMilli, timestamp);
  const std::string& user = user_id.empty() ? info.user_id : user_id;
  if (!user.empty()) out += R"(,"user_id":)" + json::Quote(user);
  return out + '}';
}

constexpr std::string_view kException = "exception";

// What programs may want to know of a failure: the finer word, the facts, what to do next.
std::string Details(const Error& error, const Reply& reply) {
  const ErrorRow& row = error.row();
  std::string exception = json::Quote(row.reason);
  for (const auto& [name, json] : reply.facts)
    if (name == kException) exception = json;
  std::string out = fmt::format(R"({{"{}":{})", kException, exception);
  const auto add = [&](std::string_view name, const std::string& json) {
    if (out.size() + name.size() + json.size() > kDetailsMax) return;
    out += fmt::format(R"(,"{}":{})", name, json);
  };
  for (const auto& [name, json] : reply.facts)
    if (name != kException) add(name, json);
  if (!reply.code.empty()) add("category", json::Quote(row.workspace_code));
  add("retryable", row.retryable ? "true" : "false");
  if (const auto ms = error.retry_after_ms()) add("retry_after_ms", std::to_string(*ms));
  if (!error.hint().empty()) add("hint", json::Quote(error.hint()));
  std::string near;
  for (const std::string& name : error.recovery().fuzzy_matches)
    near += (near.empty() ? "" : ",") + json::Quote(name);
  if (!near.empty()) add("did_you_mean", '[' + near + ']');
  return out + '}';
}

// The published shape around the schema of a tool's data.
constexpr std::string_view kHead =
    R"({"type":"object","properties":{"status":{"type":"string","enum":["success","error","warning"],)"
    R"("description":"how the call ended"},"message":{"type":"string","description":"for people"},"data":)";
constexpr std::string_view kTail =
    R"(,"metadata":{"type":"object","title":"ToolMetadata","properties":{)"
    R"("execution_time_ms":{"type":"number","description":"two decimals"},)"
    R"("timestamp":{"type":"string","description":"UTC, ISO 8601 with offset"},)"
    R"("user_id":{"type":"string","description":"absent where it is not known"}},)"
    R"("required":["execution_time_ms","timestamp"]},)"
    R"("error_code":{"type":"string","description":"only with status error"},)"
    R"("error_details":{"type":"object","description":"only with status error",)"
    R"("properties":{"exception":{"type":"string"}},"required":["exception"]},)"
    R"("warning_details":{"type":"string","description":"only with status warning"}},)"
    R"("required":["status","message","metadata"]})";

class Workspace final : public Renderer {
 public:
  std::string OutputSchema(const std::string& data_schema) const override {
    return std::string(kHead) + data_schema + std::string(kTail);
  }

  Answer Render(const Reply& reply, const RenderInfo& info) const override {
    Answer answer;
    const std::string metadata = Metadata(info, reply.user_id);
    if (reply.error) {
      const Error& error = *reply.error;
      answer.is_error = true;
      answer.exit_code = error.row().exit_code;
      answer.structured = fmt::format(
          R"({{"status":"error","message":{},"error_code":"{}","error_details":{},"metadata":{}}})",
          json::Quote(CutText(error.message(), kMessageMax)),
          reply.code.empty() ? error.row().workspace_code : reply.code, Details(error, reply),
          metadata);
    } else {
      answer.structured = fmt::format(R"({{"status":"{}","message":{},"data":{},"metadata":{})",
                                      reply.warning.empty() ? "success" : "warning",
                                      json::Quote(reply.message.empty() ? "done" : reply.message),
                                      reply.data_json, metadata);
      if (!reply.warning.empty())
        answer.structured += R"(,"warning_details":)" + json::Quote(reply.warning);
      answer.structured += '}';
    }
    answer.text = answer.structured;
    return answer;
  }
};

}  // namespace

const Renderer& WorkspaceRenderer() {
  static const Workspace renderer;
  return renderer;
}

}  // namespace schemaward::tool
