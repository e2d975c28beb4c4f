#include "guard/can_fail.h"

#include <string_view>

#include "base/ascii.h"
#include "base/contains.h"

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

}  // namespace

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
