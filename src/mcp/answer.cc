#include "mcp/answer.h"

#include "json/value.h"

namespace schemaward::mcp {
namespace {

void AppendText(std::string& out, std::string_view text, std::string_view mime_type) {
  out += R"({"type":"text","text":)";
  json::AppendQuoted(out, text);
  if (!mime_type.empty()) {
    out += R"(,"mimeType":)";
    json::AppendQuoted(out, mime_type);
  }
  out += '}';
}

}  // namespace

std::string MembersOf(const tool::Answer& answer, Revision revision) {
  std::string out;
  constexpr std::size_t kFrame = 128;  // what stands around the two
  out.reserve(answer.structured.size() + answer.text.size() + answer.text.size() / 4 + kFrame);
  out += R"("content":[)";
  if (answer.blocks.empty()) AppendText(out, answer.text, {});
  for (const tool::TextBlock& block : answer.blocks) {
    if (&block != &answer.blocks.front()) out += ',';
    AppendText(out, block.text, block.mime_type);
  }
  out += ']';
  if (HasStructuredContent(revision) && !answer.structured.empty()) {
    out += R"(,"structuredContent":)";
    out += answer.structured;
  }
  out += answer.is_error ? R"(,"isError":true)" : R"(,"isError":false)";
  return out;
}

}  // namespace schemaward::mcp
