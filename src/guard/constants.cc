#include "guard/constants.h"

#include <charconv>
#include <string>
#include <string_view>

#include "base/ascii.h"

namespace schemaward::guard {
namespace {

namespace query = sql::query;

bool IsSyntax(const query::Expression* value, std::string_view form) {
  return value != nullptr && value->kind == query::ExpressionKind::Syntax && value->form == form;
}

// The words of an interval in lower case: its amount and, where it stands apart, its unit.
std::string WordsOf(const query::Expression& step, const query::Expression& literal) {
  std::string words = literal.form == "integer" ? literal.text : literal.value;
  if (IsSyntax(&step, "interval") && step.parts.size() > 1) words += step.parts[1].text;
  return LowerAscii(words);
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
  if (IsSyntax(value, "prefix") && value->parts.front().text == "- ") {
    negative = true;
    value = value->parts.front().expression.get();
  }
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
  for (const std::string_view unit : {"second", "minute", "milli", "micro", "sec", "min"})
    if (words.find(unit) != std::string::npos) return false;
  for (const std::string_view unit : {"hour", "day", "week", "month", "quarter", "year", "decade"})
    if (words.find(unit) != std::string::npos) return true;
  return false;
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
