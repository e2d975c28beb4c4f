#include "mcp/version.h"

namespace schemaward::mcp {

std::optional<Revision> RevisionOf(std::string_view name) {
  for (std::size_t i = 0; i < kRevisionNames.size(); ++i)
    if (kRevisionNames[i] == name) return static_cast<Revision>(i);
  return std::nullopt;
}

std::string SupportedJson() {
  std::string out = "[";
  for (std::size_t i = kRevisionNames.size(); i-- > 0;) {
    if (out.size() > 1) out += ',';
    out += '"';
    out += kRevisionNames[i];
    out += '"';
  }
  return out + ']';
}

}  // namespace schemaward::mcp
