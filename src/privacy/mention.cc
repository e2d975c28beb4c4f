#include "privacy/mention.h"

#include <string>

#include "base/ascii.h"

namespace schemaward::privacy {
namespace {

bool IsOfWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

}  // namespace

bool Mentions(std::string_view text, std::string_view name) {
  if (name.empty()) return false;
  const std::string in = LowerAscii(text), wanted = LowerAscii(name);
  for (std::size_t at = in.find(wanted); at != std::string::npos; at = in.find(wanted, at + 1)) {
    const std::size_t end = at + wanted.size();
    const bool begins = at == 0 || !IsOfWord(in[at - 1]);
    if (begins && (end == in.size() || !IsOfWord(in[end]))) return true;
  }
  return false;
}

}  // namespace schemaward::privacy
