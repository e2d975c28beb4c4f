#include "guard/constants.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>

#include "base/ascii.h"

namespace schemaward::guard {
namespace {

namespace query = sql::query;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsSyntax(const query::Expression* value, std::string_view form) {
  return value != nullptr && value->kind == query::ExpressionKind::Syntax && value->form == form;
}

// The words of an interval in lower case: its amount and, where it stands apart, its unit.
std::string WordsOf(const query::Expression& step, const query::Expression& literal) {
  std::string words = literal.form == "integer" ? literal.text : literal.value;
  if (IsSyntax(&step, "interval") && step.parts.size() > 1) words += step.parts[1].text;
  return LowerAscii(words);
}

// True where no amount is below one of its unit, and all point one way: not '0.001 hours', '1 day
// -86399 seconds' or '23:59:59'.
bool HasWholeAmounts(std::string_view words) {
  if (words.find(':') != std::string_view::npos || words.rfind('-') + 1 > 1) return false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool begins = IsDigit(words[i]) || (words[i] == '.' && i + 1 < words.size());
    if (!begins) continue;
    bool is_zero = true;
    for (; i < words.size() && IsDigit(words[i]); ++i) is_zero = is_zero && words[i] == '0';
    if (is_zero) return false;
    while (i < words.size() && (IsDigit(words[i]) || words[i] == '.')) ++i;
  }
  return true;
}

// A date or a moment of a year that calendars have: not infinity, and no year of five digits.
bool IsWithinTime(const query::Expression& literal) {
  static constexpr auto kMoments =
      std::to_array<std::string_view>({"epoch", "now", "today", "tomorrow", "yesterday"});
  if (literal.form != "text") return literal.form == "word";
  constexpr std::size_t kYear = 4, kDay = 8;  // 2024-01-31, 20240131
  std::size_t digits = 0;
  while (digits < literal.value.size() && IsDigit(literal.value[digits])) ++digits;
  if (digits > 0) return digits <= kYear || digits == kDay;
  return std::find(kMoments.begin(), kMoments.end(), LowerAscii(literal.value)) != kMoments.end();
}

}  // namespace

const query::Expression* ConstantOf(const query::Expression* value) {
  while (IsSyntax(value, "cast") || IsSyntax(value, "interval") || IsSyntax(value, "prefix") ||
         IsSyntax(value, "typed"))
    value = value->parts.empty() ? nullptr : value->parts.front().expression.get();
  return value != nullptr && value->kind == query::ExpressionKind::Literal ? value : nullptr;
}

std::optional<std::int64_t> IntegerOf(const query::Expression* value) {
  bool negative = false;
  while (IsSyntax(value, "prefix")) {  // ~ and NOT make another number of it
    const std::string& sign = value->parts.front().text;
    if (sign != "- " && sign != "+ ") return std::nullopt;
    negative = negative != (sign == "- ");
    value = value->parts.front().expression.get();
  }
  for (const query::Expression* at = value; at != nullptr && !at->parts.empty();
       at = at->parts.front().expression.get())
    if (IsSyntax(at, "prefix")) return std::nullopt;  // what a cast makes of it is not looked at
  const query::Expression* literal = ConstantOf(value);
  if (literal == nullptr || literal->form != "integer") return std::nullopt;
  std::int64_t number = 0;
  const auto [end, failed] =
      std::from_chars(literal->text.data(), literal->text.data() + literal->text.size(), number);
  if (failed != std::errc()) return std::nullopt;
  return negative ? -number : number;
}

bool IsLongStep(const query::Expression* step) {
  const query::Expression* literal = ConstantOf(step);
  if (literal == nullptr) return false;
  const std::string words = WordsOf(*step, *literal);
  if (!HasWholeAmounts(words)) return false;
  for (const std::string_view unit : {"second", "minute", "milli", "micro", "sec", "min"})
    if (words.find(unit) != std::string::npos) return false;
  for (const std::string_view unit : {"hour", "day", "week", "month", "quarter", "year", "decade"})
    if (words.find(unit) != std::string::npos) return true;
  return false;
}

bool IsBoundedTime(const query::Expression* value) {
  const query::Expression* literal = ConstantOf(value);
  return literal != nullptr && IsWithinTime(*literal);
}

bool IsForwardStep(const query::Expression* step) {
  if (!IsLongStep(step)) return false;
  const query::Expression* at = step;  // a sign in front turns it around
  while (at->kind == query::ExpressionKind::Syntax) {
    if (at->form == "prefix") return false;
    at = at->parts.front().expression.get();
  }
  std::string words = WordsOf(*step, *at);
  if (words.find('-') != std::string::npos || words.find("ago") != std::string::npos) return false;
  const std::size_t begin = words.front() == '+' ? 1 : 0;
  std::int64_t amount = 0;
  const auto [end, failed] =
      std::from_chars(words.data() + begin, words.data() + words.size(), amount);
  return failed == std::errc() && amount >= 1;
}

}  // namespace schemaward::guard
