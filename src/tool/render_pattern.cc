// The pattern family: data as it is, failures as toolError:v1. Format gating is the tools' own
// argument. docs/contract.md [R-PAT-1..2].

#include <fmt/format.h>

#include "json/value.h"
#include "tool/renderer.h"

namespace schemaward::tool {
namespace {

// Whether to try again follows from the code alone.
bool IsRetryable(std::string_view code) {
  return code == "NETWORK_ERROR" || code == "SERVER_ERROR";
}

class Pattern final : public Renderer {
 public:
  // One object that admits success, toolError:v1 and needsInput:v1; only `kind` is required.
  std::string OutputSchema(const std::string& /*data_schema*/) const override {
    return R"({"type":"object","properties":{"kind":{"type":"string"},"code":{"type":"string"},"message":{"type":"string"},"retryable":{"type":"boolean"},"details":{"type":"object"}},"required":["kind"]})";
  }

  Answer Render(const Reply& reply, const RenderInfo& /*info*/) const override {
    Answer answer;
    if (!reply.error) {
      answer.structured = reply.data_json;
      answer.text = reply.data_json;
      return answer;
    }
    const ErrorRow& row = reply.error->row();
    answer.is_error = true;
    answer.exit_code = row.exit_code;
    answer.text = reply.error->message();
    const bool has_status =
        row.pattern_code != "NETWORK_ERROR" && row.pattern_code != "UNKNOWN_ERROR";
    answer.structured = fmt::format(
        R"({{"kind":"toolError:v1","code":"{}","message":{},"retryable":{})", row.pattern_code,
        json::Quote(reply.error->message()), IsRetryable(row.pattern_code));
    if (has_status)
      answer.structured += fmt::format(R"(,"details":{{"statusCode":{}}})", row.http_status);
    answer.structured += '}';
    return answer;
  }
};

}  // namespace

const Renderer& PatternRenderer() {
  static const Pattern renderer;
  return renderer;
}

}  // namespace schemaward::tool
