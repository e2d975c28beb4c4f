#include "privacy/pattern.h"

#include <string>
#include <vector>

#include "base/ascii.h"
#include "catalog/catalog.h"

namespace schemaward::privacy {
namespace {

template <class Alike>
bool Matches(std::string_view pattern, std::string_view name, Alike alike) {
  std::size_t p = 0, n = 0;
  std::size_t star = std::string_view::npos, resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && alike(pattern[p], name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace

bool MatchesPattern(std::string_view pattern, std::string_view name) {
  return Matches(pattern, name, [](char a, char b) { return LowerAscii(a) == LowerAscii(b); });
}

bool MatchesPatternWithCase(std::string_view pattern, std::string_view name) {
  return Matches(pattern, name, [](char a, char b) { return a == b; });
}

bool MatchesTable(std::string_view pattern, std::string_view schema, std::string_view table) {
  const std::vector<std::string> parts = catalog::SplitName(pattern);
  if (parts.size() == 1) return MatchesPattern(parts[0], table);
  return parts.size() == 2 && MatchesPattern(parts[0], schema) && MatchesPattern(parts[1], table);
}

}  // namespace schemaward::privacy
