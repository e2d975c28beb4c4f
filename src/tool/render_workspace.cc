// The workspace family: status, message, data, metadata; absent members are absent.
// docs/contract.md [R-WS-1].

#include <fmt/format.h>

#include "base/clock.h"
#include "json/value.h"
#include "tool/renderer.h"

namespace schemaward::tool {
namespace {

std::string Metadata(const RenderInfo& info) {
  constexpr double kMicrosPerMilli = 1000.0;
  std::string timestamp = ToIsoUtc(info.now_us);
  timestamp.replace(timestamp.size() - 1, 1, "+00:00");
  std::string out = fmt::format(R"({{"execution_time_ms":{:.2f},"timestamp":"{}")",
                                static_cast<double>(info.duration_us) / kMicrosPerMilli, timestamp);
  if (!info.user_id.empty()) out += R"(,"user_id":)" + json::Quote(info.user_id);
  return out + '}';
}

class Workspace final : public Renderer {
 public:
  std::string OutputSchema(const std::string& data_schema) const override {
    return R"({"type":"object","properties":{"status":{"type":"string","enum":["success","error","warning"]},"message":{"type":"string"},"data":)" +
           data_schema +
           R"(,"metadata":{"type":"object"},"error_code":{"type":"string"},"error_details":{"type":"object"},"warning_details":{"type":"string"}},"required":["status","message","metadata"]})";
  }

  Answer Render(const Reply& reply, const RenderInfo& info) const override {
    Answer answer;
    if (reply.error) {
      const ErrorRow& row = reply.error->row();
      answer.is_error = true;
      answer.exit_code = row.exit_code;
      answer.structured = fmt::format(
          R"({{"status":"error","message":{},"error_code":"{}","error_details":{{"exception":"{}"}},"metadata":{}}})",
          json::Quote(reply.error->message()), row.workspace_code, row.reason, Metadata(info));
    } else {
      answer.structured =
          fmt::format(R"({{"status":"success","message":"done","data":{},"metadata":{}}})",
                      reply.data_json, Metadata(info));
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
