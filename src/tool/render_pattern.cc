// The pattern family: data as it is, failures as toolError:v1, each as words for people, as JSON,
// or both. docs/pattern-family.md, docs/contract.md [R-PAT-1..2].

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/cut.h"
#include "json/value.h"
#include "tool/renderer.h"

namespace schemaward::tool {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::string_view kMarkdown = "text/markdown";
constexpr std::string_view kJson = "application/json";
constexpr std::size_t kMessageMax = 2'000;    // bytes: an error in both forms fits 8,000
constexpr std::size_t kAnswerMax = 1U << 20;  // bytes of all of an answer
constexpr int kIndent = 2;

// Whether to try again follows from the code alone.
bool IsRetryable(std::string_view code) {
  return code == "NETWORK_ERROR" || code == "SERVER_ERROR";
}

constexpr int kBadRequest = 400, kUnauthorized = 401, kForbidden = 403, kNotFound = 404;
constexpr int kServerError = 500;

// What the caller's credentials, or the lack of them, decide is one code in this family, whoever
// must mend it.
std::string_view CodeOf(const ErrorRow& row) {
  switch (row.id) {
    case ErrorKind::MissingCredential:
    case ErrorKind::SourceAuthFailed:
    case ErrorKind::PermissionDenied:
    case ErrorKind::PolicyBlocked:
    case ErrorKind::AllowlistViolation:
      return "AUTHENTICATION_ERROR";
    default:
      return row.pattern_code;
  }
}

// The status that stands with a code, so that the two never say different things; 0: none does.
int StatusCode(const ErrorRow& row) {
  const std::string_view code = CodeOf(row);
  const int http = row.http_status;
  if (code == "NOT_FOUND") return kNotFound;
  if (code == "AUTHENTICATION_ERROR") return http == kForbidden ? kForbidden : kUnauthorized;
  if (row.id == ErrorKind::SourceUnreachable) return kServerError;
  if (code == "SERVER_ERROR") return http >= kServerError ? http : kServerError;
  if (code != "CLIENT_ERROR") return 0;
  const bool is_other_codes = http == kUnauthorized || http == kForbidden || http == kNotFound;
  return is_other_codes || http < kBadRequest || http >= kServerError ? kBadRequest : http;
}

// What a message begins with, by its code.
std::string_view Opening(const ErrorRow& row) {
  const std::string_view code = CodeOf(row);
  if (code == "NETWORK_ERROR") return "Network error: ";
  if (code == "SERVER_ERROR") return "Internal server error: ";
  if (code == "CLIENT_ERROR") return "Invalid request: ";
  if (code == "NOT_FOUND") return "Resource not found: ";
  return StatusCode(row) == kForbidden ? "Permission denied: " : "Authentication required: ";
}

// The family's words for a failure. Three are fixed: what is said of them elsewhere is this
// program's business.
std::string MessageOf(const Error& error) {
  switch (error.kind()) {
    case ErrorKind::DeadlineExceeded:
    case ErrorKind::StatementTimeout:
      return "Network error: Request timeout";
    case ErrorKind::SourceUnreachable:
      return "Internal server error: Database connection failed";
    default:
      break;
  }
  if (CodeOf(error.row()) == "UNKNOWN_ERROR") return "Unknown error occurred";
  return std::string(Opening(error.row())) + CutText(error.message(), kMessageMax);
}

std::string ToolErrorJson(const ErrorRow& row, const std::string& message) {
  std::string out =
      fmt::format(R"({{"kind":"toolError:v1","code":"{}","message":{},"retryable":{})", CodeOf(row),
                  json::Quote(message), IsRetryable(CodeOf(row)));
  if (const int status = StatusCode(row); status != 0)
    out += fmt::format(R"(,"details":{{"statusCode":{}}})", status);
  return out + '}';
}

// The same object as `compact`, indented by two, members in the same order.
std::string Pretty(const std::string& compact) { return OrderedJson::parse(compact).dump(kIndent); }

void FillBlocks(Answer& answer, const std::string& markdown, Format format) {
  if (format != Format::Json) answer.blocks.push_back({markdown, kMarkdown});
  if (format != Format::Markdown) answer.blocks.push_back({Pretty(answer.structured), kJson});
  answer.text = answer.blocks.front().text;
}

Answer RenderError(const Error& error, Format format) {
  Answer answer;
  const std::string message = MessageOf(error);
  answer.is_error = true;
  answer.exit_code = error.row().exit_code;
  answer.structured = ToolErrorJson(error.row(), message);
  FillBlocks(answer, message, format);
  return answer;
}

// The members that an answer without data may have.
constexpr std::string_view kOtherMembers =
    R"({"kind":{"type":"string","description":"what the answer is"},)"
    R"("code":{"type":"string","description":"of a toolError:v1"},)"
    R"("message":{"type":"string","description":"for people"},)"
    R"("retryable":{"type":"boolean","description":"may the same call work later"},)"
    R"("details":{"type":"object","description":"of a toolError:v1"},)"
    R"("type":{"type":"string","description":"of a needsInput:v1: elicitation"},)"
    R"("needsInput":{"type":"object","properties":{"fields":{"type":"array","items":{"type":"string"}},)"
    R"("reason":{"type":"string"},"suggestions":{"type":"object"}},"description":"which arguments to give"},)"
    R"("options":{"type":"array","items":{"type":"object","properties":{"label":{"type":"string"},)"
    R"("value":{"type":"string"},"description":{"type":"string"},"field":{"type":"string"}}},)"
    R"("description":"values to choose from"}})";

class Pattern final : public Renderer {
 public:
  // One object that admits the data, toolError:v1 and needsInput:v1. Only `kind` is required, and
  // nothing where the data has none.
  std::string OutputSchema(const std::string& data_schema) const override {
    auto schema = OrderedJson::parse(data_schema);
    const bool has_kind = schema["properties"].contains("kind");
    const auto others = OrderedJson::parse(kOtherMembers);
    for (const auto& [name, member] : others.items())
      if (!schema["properties"].contains(name)) schema["properties"][name] = member;
    schema.erase("required");
    if (has_kind) schema["required"] = {"kind"};
    return schema.dump();
  }

  Answer Render(const Reply& reply, const RenderInfo& info) const override {
    if (reply.error) return RenderError(*reply.error, info.format);
    Answer answer;
    answer.structured = reply.data_json;
    FillBlocks(answer, reply.markdown, info.format);
    std::size_t bytes = answer.structured.size();
    for (const TextBlock& block : answer.blocks) bytes += block.text.size();
    if (bytes <= kAnswerMax) return answer;
    return RenderError(Error(ErrorKind::ByteCap,
                             fmt::format("the answer has {} bytes, more than the {} allowed; ask "
                                         "for less",
                                         bytes, kAnswerMax)),
                       info.format);
  }
};

}  // namespace

const Renderer& PatternRenderer() {
  static const Pattern renderer;
  return renderer;
}

}  // namespace schemaward::tool
