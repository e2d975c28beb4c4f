// The pattern family: data as it is, failures as toolError:v1, each as words for people, as JSON,
// or both. docs/pattern-family.md, docs/contract.md [R-PAT-1..2].

#include <algorithm>
#include <array>
#include <cassert>

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

// What follows from a code alone. The codes themselves, and the status that stands with each, are
// the rows of base/error_kinds.def.
struct Code {
  std::string_view name;
  bool retryable;
  std::string_view opening;  // of the message
};
constexpr std::array<Code, 6> kCodes = {{
    {"NETWORK_ERROR", true, "Network error: "},
    {"SERVER_ERROR", true, "Internal server error: "},
    {"CLIENT_ERROR", false, "Invalid request: "},
    {"NOT_FOUND", false, "Resource not found: "},
    {"AUTHENTICATION_ERROR", false, "Authentication required: "},
    {"UNKNOWN_ERROR", false, "Unknown error occurred"},
}};
constexpr int kForbidden = 403;
constexpr std::string_view kForbiddenOpening = "Permission denied: ";

const Code& CodeOf(const ErrorRow& row) {
  const auto found = std::find_if(kCodes.begin(), kCodes.end(),
                                  [&](const Code& code) { return code.name == row.pattern_code; });
  assert(found != kCodes.end() && "a row of error_kinds.def has none of the six codes");
  return *found;
}

// What the family says of these whatever the error says: that is this program's business.
std::string_view FixedWords(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::DeadlineExceeded:
    case ErrorKind::StatementTimeout:
      return "Request timeout";
    case ErrorKind::SourceUnreachable:
      return "Database connection failed";
    default:
      return {};
  }
}

std::string MessageOf(const Error& error) {
  const ErrorRow& row = error.row();
  const Code& code = CodeOf(row);
  if (code.name == "UNKNOWN_ERROR") return std::string(code.opening);
  std::string message(row.pattern_status == kForbidden ? kForbiddenOpening : code.opening);
  const std::string_view fixed = FixedWords(error.kind());
  return message += fixed.empty() ? CutText(error.message(), kMessageMax) : std::string(fixed);
}

std::string ToolErrorJson(const ErrorRow& row, const std::string& message) {
  std::string out =
      fmt::format(R"({{"kind":"toolError:v1","code":"{}","message":{},"retryable":{})",
                  row.pattern_code, json::Quote(message), CodeOf(row).retryable);
  if (row.pattern_status != 0)
    out += fmt::format(R"(,"details":{{"statusCode":{}}})", row.pattern_status);
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
