#include "verify/proof.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/ascii.h"
#include "explore/named_tables.h"
#include "explore/sql_words.h"

namespace schemaward::verify {
namespace {

using explore::IsSign;
using explore::IsWord;
using explore::Number;
using explore::SqlWord;
using explore::SqlWordKind;

// Calls whose literals are conditions or parameters where columns stand beside them.
constexpr std::array<std::string_view, 12> kAggregates = {
    "count",           "sum",          "avg",    "min",  "max",
    "total",           "over",         "filter", "mode", "quantile_cont",
    "percentile_cont", "quantile_disc"};

constexpr std::array<std::string_view, 10> kNoColumns = {
    "case", "when", "then", "else", "end", "and", "or", "not", "null", "distinct"};

template <std::size_t N>
bool IsOneOf(const SqlWord& word, const std::array<std::string_view, N>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view one) { return IsWord(word, one); });
}

/// Inside one pair of parentheses.
struct Level {
  bool in_list = false;       // between SELECT and FROM
  bool is_aggregate = false;  // its parentheses are a call of one
  bool has_column = false;
  bool holds_claim = false;
};

void Close(std::vector<Level>& levels) {
  if (levels.size() < 2) return;
  const Level closed = levels.back();
  levels.pop_back();
  levels.back().has_column |= closed.has_column;
  levels.back().holds_claim |= closed.holds_claim && !(closed.is_aggregate && closed.has_column);
}

void Take(const SqlWord& word, const Number& claim, Level& level) {
  if (IsWord(word, "select") || IsWord(word, "values")) {
    level.in_list = true;
  } else if (IsWord(word, "from")) {
    level.in_list = false;
  } else if (word.kind == SqlWordKind::Number || word.kind == SqlWordKind::Text) {
    const auto number = Number::Read(word.text);
    level.holds_claim |= level.in_list && number && *number == claim;
  } else if (word.kind != SqlWordKind::Sign && !IsOneOf(word, kNoColumns)) {
    level.has_column = true;
  }
}

bool HoldsItsAnswer(std::string_view sql, const Number& claim) {
  constexpr std::size_t kDepthMax = 1'000;
  explore::SqlWords words(sql);
  std::vector<Level> levels(1);
  bool is_aggregate = false;  // the word before is the name of one
  while (const auto word = words.Next()) {
    if (IsSign(*word, '(') && levels.size() < kDepthMax)
      levels.push_back({levels.back().in_list, is_aggregate, false, false});
    else if (IsSign(*word, ')'))
      Close(levels);
    else
      Take(*word, claim, levels.back());
    is_aggregate = IsOneOf(*word, kAggregates);
  }
  return std::any_of(levels.begin(), levels.end(),
                     [](const Level& level) { return level.holds_claim; });
}

}  // namespace

std::string WhyNoProof(std::string_view sql, const Number& claim) {
  if (explore::NamedTables(sql).empty()) return "the statement reads no table";
  if (HoldsItsAnswer(sql, claim))
    return "the statement selects the claimed number itself instead of computing it";
  return {};
}

std::optional<Number> OneNumber(const explore::QueryResult& result, std::string& why) {
  if (result.rows.size() != 1) {
    why = "the result has " + std::to_string(result.rows.size()) + " rows, not one";
    return std::nullopt;
  }
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < result.columns.size() && c < result.rows[0].size(); ++c) {
    const bool is_named = EqualsIgnoringAsciiCase(result.columns[c].name, "verified");
    if (is_named) columns.assign(1, c);
    if (is_named) break;
    columns.push_back(c);
  }
  if (columns.size() != 1) {
    why = "the row has several columns and none is called verified";
    return std::nullopt;
  }
  if (result.columns[columns[0]].hides_values) {
    why = "the value is withheld by the policy";
    return std::nullopt;
  }
  const auto number = Number::Of(result.rows[0][columns[0]]);
  if (!number) why = "the value is not a number";
  return number;
}

}  // namespace schemaward::verify
