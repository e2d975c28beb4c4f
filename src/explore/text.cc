#include "explore/text.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/cut.h"
#include "explore/limits.h"

namespace schemaward::explore {

std::string ShowValue(std::string_view text) {
  std::string shown;
  for (const char c : text.substr(0, 4 * kCellBytesMax)) {
    const bool is_blank = static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
    if (!is_blank) shown += c;
    if (is_blank && !shown.empty() && shown.back() != ' ') shown += ' ';
  }
  return CutText(shown, kCellBytesMax);
}

std::string ShowRows(const std::optional<std::int64_t>& rows) {
  if (!rows || *rows < 0) return "unknown";
  constexpr double kStep = 1'000;
  constexpr std::array<char, 3> kUnits = {'K', 'M', 'B'};
  constexpr std::int64_t kPlainMax = 1'000;
  if (*rows < kPlainMax) return fmt::format("{}", *rows);
  double value = static_cast<double>(*rows) / kStep;
  std::size_t unit = 0;
  // 999,950 is 1.0M: what would be shown as 1000.0 takes the next unit.
  constexpr double kRoundsUp = 999.95;
  for (; value >= kRoundsUp && unit + 1 < kUnits.size(); ++unit) value /= kStep;
  return fmt::format("{:.1f}{}", value, kUnits.at(unit));
}

std::string Listed(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string BareName(std::string_view text) {
  const auto trim = [](std::string_view part) {
    const std::size_t first = part.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return std::string_view();
    return part.substr(first, part.find_last_not_of(" \t\r\n") - first + 1);
  };
  text = trim(text);
  const char quote = text.empty() ? '\0' : text.front();
  // "a"."b" is quoted part by part; only one layer around the whole is peeled off.
  if (text.size() >= 2 && (quote == '`' || quote == '"') && text.back() == quote &&
      text.substr(1, text.size() - 2).find(quote) == std::string_view::npos)
    text = trim(text.substr(1, text.size() - 2));
  return std::string(text);
}

}  // namespace schemaward::explore
