#include "guard/can_fail.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/ascii.h"
#include "base/contains.h"
#include "guard/constants.h"

namespace schemaward::guard {
namespace {

namespace query = sql::query;

constexpr std::string_view kSafeForms[] = {"in_list", "between", "parens", "case",
                                           "row",     "exists",  "postfix"};
constexpr std::string_view kSafeOperators[] = {
    " AND ", " OR ",  " = ",  " <> ", " != ",
    " < ",   " <= ",  " > ",  " >= ", " IS NOT DISTINCT FROM ",
    " IS ",  " <=> ", " == ", "NOT ", " IS DISTINCT FROM "};
constexpr std::string_view kSafeFunctions[] = {
    "count", "min", "max", "sum", "avg", "lag", "lead", "rank", "row_number", "nullif", "coalesce"};

bool IsSafe(const query::Expression& syntax) {
  if (Contains(kSafeForms, syntax.form)) return true;
  if (syntax.parts.empty()) return false;
  if (syntax.form == "prefix") return Contains(kSafeOperators, syntax.parts.front().text);
  return syntax.form == "operator" && Contains(kSafeOperators, syntax.parts.back().text);
}

constexpr std::string_view kFailing[] = {
    "acos", "asin", "chr",   "div",  "log",      "log10",   "log2",      "ln",
    "mod",  "pow",  "power", "sqrt", "strptime", "to_date", "to_number", "to_timestamp"};
constexpr std::string_view kOfAnyText[] = {"TEXT", "CHAR", "STRING"};

bool IsCallOf(const query::Expression& value, std::initializer_list<std::string_view> names) {
  return value.kind == query::ExpressionKind::Call &&
         Contains(names, LowerAscii(value.names.back().text));
}

bool DividesByValue(const query::Expression& value) {
  if (value.parts.size() != 2 || (value.parts[1].text != " / " && value.parts[1].text != " % "))
    return false;
  const query::Expression* by = value.parts[1].expression.get();
  return by != nullptr && ConstantOf(by) == nullptr && !IsCallOf(*by, {"count", "nullif"});
}

}  // namespace

bool FailsByValue(const query::Expression& expression, bool is_text, const sql::Dialect& dialect) {
  const bool is_duckdb = dialect.name == sql::DuckDb().name;
  if (!is_duckdb && dialect.name != sql::Postgres().name) return false;
  if (expression.kind == query::ExpressionKind::Call)
    return Contains(kFailing, LowerAscii(expression.names.back().text));
  if (expression.form == "operator") return !is_duckdb && DividesByValue(expression);
  if (expression.form == "own_cast") return is_text;
  if (expression.form != "cast" || !is_text || expression.parts.empty()) return false;
  const std::string& to = expression.parts.back().text;
  return !expression.parts.front().text.starts_with("TRY_") &&
         std::none_of(std::begin(kOfAnyText), std::end(kOfAnyText),
                      [&](std::string_view word) { return to.find(word) != std::string::npos; });
}

bool CanFail(const query::Expression& expression, const sql::Dialect& dialect) {
  switch (expression.kind) {
    case query::ExpressionKind::Column:
    case query::ExpressionKind::Star:
    case query::ExpressionKind::Literal:
    case query::ExpressionKind::Parameter:
      return false;
    case query::ExpressionKind::Call:
      return &dialect == &sql::DuckDb() ||
             !Contains(kSafeFunctions, LowerAscii(expression.names.back().text));
    case query::ExpressionKind::Syntax:
      return &dialect == &sql::DuckDb() || !IsSafe(expression);
  }
  return true;
}

}  // namespace schemaward::guard
