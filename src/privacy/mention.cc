#include "privacy/mention.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "base/ascii.h"

namespace schemaward::privacy {
namespace {

bool IsOfWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

bool Holds(std::string_view in, std::string_view wanted) {
  for (std::size_t at = in.find(wanted); at != std::string_view::npos;
       at = in.find(wanted, at + 1)) {
    const std::size_t end = at + wanted.size();
    const bool begins = at == 0 || !IsOfWord(in[at - 1]) || !IsOfWord(wanted.front());
    if (begins && (end == in.size() || !IsOfWord(in[end]) || !IsOfWord(wanted.back()))) return true;
  }
  return false;
}

constexpr char kQuotes[] = {'"', '`', ']'};

std::string Doubled(std::string_view name, char quote) {
  std::string doubled;
  for (const char c : name) doubled.append(c == quote ? 2 : 1, c);
  return doubled;
}

}  // namespace

bool Mentions(std::string_view text, std::string_view name) {
  if (name.empty()) return false;
  const std::string in = LowerAscii(text), wanted = LowerAscii(name);
  if (Holds(in, wanted)) return true;
  // Inside its quotes a quote is written twice.
  return std::any_of(std::begin(kQuotes), std::end(kQuotes), [&](char quote) {
    return wanted.find(quote) != std::string::npos && Holds(in, Doubled(wanted, quote));
  });
}

}  // namespace schemaward::privacy
