#include "rpc/duplicates.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace schemaward::rpc {
namespace {

// Returns the index behind the string literal that starts at text[i].
std::size_t SkipString(std::string_view text, std::size_t i) {
  for (++i; i < text.size() && text[i] != '"'; ++i)
    if (text[i] == '\\') ++i;
  return std::min(i + 1, text.size());
}

bool IsNameAt(std::string_view text, std::size_t after) {
  const std::size_t next = text.find_first_not_of(" \t\r\n", after);
  return next != std::string_view::npos && text[next] == ':';
}

}  // namespace

std::string DuplicateMember(std::string_view text) {
  constexpr std::size_t kNamesMax = 64;  // a message has four members; more are not compared
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  const int message_depth = text[first] == '[' ? 2 : 1;
  std::vector<std::string_view> names;
  int depth = 0;
  for (std::size_t i = first; i < text.size();) {
    const char c = text[i];
    if (c == '"') {
      const std::size_t end = SkipString(text, i);
      const std::string_view literal = text.substr(i, end - i);
      if (depth == message_depth && names.size() < kNamesMax && IsNameAt(text, end)) {
        if (std::find(names.begin(), names.end(), literal) != names.end())
          return std::string(literal);
        names.push_back(literal);
      }
      i = end;
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (depth < message_depth) names.clear();
    ++i;
  }
  return {};
}

}  // namespace schemaward::rpc
