#include "base/without_values.h"

#include <algorithm>

namespace schemaward {

std::string WithoutValues(std::string_view text) {
  constexpr std::size_t kDigitsMax = 3;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '\'' || c == '"' || c == '`') {
      // To the last quote of the kind: a value may hold one itself.
      const std::size_t end = text.rfind(c);
      out += c;
      if (end > i) out += std::string("***") + c;
      i = std::max(end, i) + 1;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && is_digit(text[end])) ++end;
    if (end - i > kDigitsMax)
      out += "***";
    else
      out += text.substr(i, std::max<std::size_t>(end - i, 1));
    i = std::max(end, i + 1);
  }
  return out;
}

}  // namespace schemaward
