#include "guard/growth.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/ascii.h"
#include "base/contains.h"
#include "guard/forms.h"
#include "guard/names.h"

namespace schemaward::guard {
namespace {

namespace query = sql::query;

constexpr int kMany = 2;
// What these give is a number, a time or a truth: no more than what it is made of.
constexpr auto kBounded = std::to_array<std::string_view>(
    {" = ", " <> ", " < ", " <= ", " > ", " >= ", " AND ", " OR ", " - ", " * ", " / ", " // ",
     " % ", " ^ ", " ** ", " IS DISTINCT FROM ", " IS NOT DISTINCT FROM ", " ~ ", " !~ "});
constexpr auto kTruths = std::to_array<std::string_view>(
    {"between", "exists", "extract", "in_list", "like", "position", "postfix", "quantified"});
// Give one of their arguments.
constexpr auto kChoices =
    std::to_array<std::string_view>({"coalesce", "greatest", "if", "ifnull", "least", "nullif"});
// Give all of their arguments once, or less.
constexpr auto kSums = std::to_array<std::string_view>(
    {"abs",      "array_append", "array_concat",  "array_distinct", "array_prepend",
     "ceil",     "concat",       "concat_ws",     "floor",          "gcd",
     "lcm",      "left",         "len",           "length",         "list_append",
     "list_cat", "list_concat",  "list_distinct", "list_prepend",   "ln",
     "lower",    "mod",          "pow",           "power",          "right",
     "round",    "sqrt",         "upper"});

/// How often the value of an expression can hold that of a name; kMany: often, or not known.
/// Thread: owner.
class Times {
 public:
  Times(const query::Name& name, bool by_any) : name_(name.text), by_any_(by_any) {}

  int Of(const query::Expression& value) const {
    if (value.kind == query::ExpressionKind::Column)
      return FoldsTo(value.names.front().text, name_) ? 1 : 0;
    int sum = 0, most = 0;
    for (const query::Part& part : value.parts) {
      if (part.query != nullptr) return kMany;
      if (part.expression == nullptr || IsCondition(value, part)) continue;
      const int times = Of(*part.expression);
      sum += times;
      most = std::max(most, times);
    }
    if (sum == 0 || IsBounded(value)) return 0;
    if (value.kind == query::ExpressionKind::Call) {
      const std::string function = LowerAscii(value.names.back().text);
      return Contains(kChoices, function)            ? most
             : Contains(kSums, function) || !by_any_ ? sum
                                                     : kMany;
    }
    if (IsForm(value, "lambda")) return by_any_ ? kMany : sum;
    return IsForm(value, "case") ? most : sum;
  }

 private:
  static bool IsCondition(const query::Expression& value, const query::Part& part) {
    return IsForm(value, "case") && part.text != " THEN " && part.text != " ELSE ";
  }

  static bool IsBounded(const query::Expression& value) {
    if (value.kind != query::ExpressionKind::Syntax) return false;
    if (Contains(kTruths, value.form)) return true;
    if (value.form == "prefix") return true;  // NOT, -, ~
    return value.form == "operator" && value.parts.size() == 2 &&
           Contains(kBounded, value.parts.back().text);
  }

  const std::string& name_;
  const bool by_any_;
};

}  // namespace

bool MayMultiply(const query::Expression& call, bool by_any) {
  return std::any_of(call.parts.begin(), call.parts.end(), [by_any](const query::Part& part) {
    if (part.expression == nullptr || !IsForm(*part.expression, "lambda")) return false;
    const query::Expression& lambda = *part.expression;
    return !lambda.names.empty() && !lambda.parts.empty() &&
           lambda.parts.front().expression != nullptr &&
           Times(lambda.names.front(), by_any).Of(*lambda.parts.front().expression) >= kMany;
  });
}

}  // namespace schemaward::guard
