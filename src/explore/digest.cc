#include "explore/digest.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "base/cut.h"
#include "explore/limits.h"
#include "explore/text.h"

namespace schemaward::explore {
namespace {

struct CellText {
  std::string operator()(std::monostate /*null*/) const { return "NULL"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return fmt::format("{}", value); }
  std::string operator()(const std::string& value) const { return ShowValue(value); }
  std::string operator()(const Decimal& value) const { return ShowValue(value.text); }
};

std::string Show(const Cell& cell) { return std::visit(CellText{}, cell); }

// NaN and infinities are nobody's number.
std::optional<double> NumberOf(const Cell& cell) {
  std::optional<double> number;
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) number = static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&cell); real != nullptr && std::isfinite(*real))
    number = *real;
  if (const auto* decimal = std::get_if<Decimal>(&cell)) {
    double value = 0;
    const char* end = decimal->text.data() + decimal->text.size();
    const auto read = std::from_chars(decimal->text.data(), end, value);
    if (read.ec == std::errc() && read.ptr == end && std::isfinite(value)) number = value;
  }
  return number;
}

/// What is counted of one column.
struct Counts {
  std::size_t nulls = 0;
  std::vector<double> numbers;               ///< sorted
  std::map<std::string, std::size_t> words;  ///< of all that is not null, as shown
};

Counts CountColumn(const QueryResult& result, std::size_t column) {
  Counts counts;
  for (const auto& row : result.rows) {
    const Cell cell = column < row.size() ? row[column] : Cell{};
    if (std::holds_alternative<std::monostate>(cell)) {
      ++counts.nulls;
      continue;
    }
    if (const auto number = NumberOf(cell)) counts.numbers.push_back(*number);
    ++counts.words[Show(cell)];
  }
  std::sort(counts.numbers.begin(), counts.numbers.end());
  return counts;
}

// The nearest-rank quantile of sorted numbers.
double Quantile(const std::vector<double>& sorted, double share) {
  const double rank = std::ceil(share * static_cast<double>(sorted.size()));
  const auto at = static_cast<std::size_t>(std::max(rank, 1.0)) - 1;
  return sorted[std::min(at, sorted.size() - 1)];
}

std::string TopValues(const Counts& counts) {
  std::vector<std::pair<std::string, std::size_t>> sorted(counts.words.begin(), counts.words.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (std::size_t i = 0; i < sorted.size() && i < kTopValues; ++i)
    text += fmt::format("{}{} ({})", i == 0 ? "" : ", ", sorted[i].first, sorted[i].second);
  return text;
}

std::string ColumnLine(const QueryResult& result, std::size_t column) {
  constexpr double kQuarter = 0.25;
  const Counts counts = CountColumn(result, column);
  std::string line =
      fmt::format("- {}: {} different, {} null", ShowValue(result.columns[column].name),
                  counts.words.size(), counts.nulls);
  if (result.columns[column].hides_values) return line + "; values are withheld\n";
  const std::size_t filled = result.rows.size() - counts.nulls;
  if (!counts.numbers.empty() && counts.numbers.size() == filled)
    line += fmt::format("; least {}, quartiles {} {} {}, greatest {}", counts.numbers.front(),
                        Quantile(counts.numbers, kQuarter), Quantile(counts.numbers, 2 * kQuarter),
                        Quantile(counts.numbers, 3 * kQuarter), counts.numbers.back());
  else if (filled > 0 && counts.words.size() <= kTopValueDistinctMax)
    line += "; most frequent " + TopValues(counts);
  return line + "\n";
}

std::string RowLine(const QueryResult& result, std::size_t row) {
  std::string line;
  const std::size_t columns = std::min(result.columns.size(), kResultColumnsMax);
  for (std::size_t c = 0; c < columns; ++c) {
    const bool is_hidden = result.columns[c].hides_values;
    const std::string value = c < result.rows[row].size() ? Show(result.rows[row][c]) : "NULL";
    line += fmt::format("{}{}={}", c == 0 ? "" : ", ", ShowValue(result.columns[c].name),
                        is_hidden ? "(withheld)" : value);
  }
  return line + "\n";
}

std::string Columns(const QueryResult& result) {
  std::string text = "Columns:\n";
  for (std::size_t c = 0; c < result.columns.size() && c < kResultColumnsMax; ++c)
    text += ColumnLine(result, c);
  if (result.columns.size() > kResultColumnsMax)
    text += fmt::format("- and {} columns more, not shown\n",
                        result.columns.size() - kResultColumnsMax);
  return text;
}

std::string Rows(const QueryResult& result) {
  const std::size_t count = result.rows.size();
  const bool is_whole = count <= kInlineRowsMax;
  std::string text = is_whole ? "Rows:\n" : fmt::format("First {} rows:\n", kHeadTailRows);
  for (std::size_t i = 0; i < (is_whole ? count : kHeadTailRows); ++i) text += RowLine(result, i);
  if (is_whole) return text;
  text += fmt::format("Last {} rows:\n", kHeadTailRows);
  for (std::size_t i = count - kHeadTailRows; i < count; ++i) text += RowLine(result, i);
  return text;
}

}  // namespace

std::string ShortDigest(const QueryResult& result) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < result.columns.size() && c < kHeadTailRows; ++c)
    names.push_back(ShowValue(result.columns[c].name));
  std::string text = fmt::format("{} rows{} of {}", result.rows.size(),
                                 result.truncated ? " or more" : "", Listed(names));
  if (result.rows.size() == 1) text += ": " + RowLine(result, 0);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  constexpr std::size_t kShortMax = 300;
  return CutText(text, kShortMax);
}

std::string Digest(const QueryResult& result) {
  std::string text = fmt::format("{} rows in {} ms.", result.rows.size(), result.time_ms);
  if (result.truncated)
    text += " The result was cut at a limit: there are more rows, so count in SQL.";
  constexpr std::size_t kStatementMax = 1'000;
  if (result.repairs > 0)
    text += " The statement could not run as it was written; what ran: " +
            CutText(result.statement, kStatementMax);
  text += "\n";
  if (result.rows.empty()) return text;
  if (result.rows.size() > kHeadTailRows) text += Columns(result);
  // Rows first lose their place where there is too much: the columns say more.
  const std::size_t left = kObservationBytesMax - std::min(kObservationBytesMax, text.size());
  const std::string rows = Rows(result);
  text += rows.size() <= left ? rows : CutText(rows, left) + "\n(cut here)\n";
  return CutText(text, kObservationBytesMax);
}

}  // namespace schemaward::explore
