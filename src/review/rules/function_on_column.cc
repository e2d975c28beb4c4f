// A filter on a function of a column.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule function_on_column() {
  Rule rule;
  rule.id = "function-on-column";
  rule.title = "A filter on a function of a column";
  rule.message = "the function on the column keeps an index on it from being used";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Performance;
  rule.why =
      "The engine computes it for every row; a range on the plain column, or an index on the "
      "expression, does not.";
  rule.dialect = "postgres";
  rule.bad = "SELECT id FROM t WHERE lower(a) = 'x'";
  rule.good = "SELECT id FROM t WHERE a = 'x'";
  rule.fix = "rewrite-function-on-column";
  rule.fix_title = "Compare the column itself with a range, or index the expression";
  rule.fix_safety = Safety::Safe;
  rule.on_expression = [](const Site& site, const Expression& node, Report& report) {
    if (site.clause != Clause::Where || !IsComparison(node)) return;
    const auto wraps = [&](const Expression* e) {
      if (e->kind == ExpressionKind::Call)
        return !e->has_window && !IsAggregate(site, *e) && !IsCallOf(e, {"coalesce"}) &&
               !Arguments(*e).empty() && IsColumn(Arguments(*e).front());
      return (IsForm(*e, "cast") || IsForm(*e, "extract")) && IsColumn(Operand(*e, 0));
    };
    const Expression* left = Operand(node, 0);
    const Expression* right = Operand(node, 1);
    if ((wraps(left) && IsConstant(right)) || (wraps(right) && IsConstant(left)))
      report.At(node.begin, node.end);
  };
  return rule;
}

}  // namespace schemaward::review
