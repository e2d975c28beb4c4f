// A filter on arithmetic with a column.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule arithmetic_on_column() {
  Rule rule;
  rule.id = "arithmetic-on-column";
  rule.title = "A filter on arithmetic with a column";
  rule.message = "arithmetic on the column keeps an index on it from being used";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Performance;
  rule.why = "Moving the arithmetic to the constant's side lets the index be used.";
  rule.dialect = "postgres";
  rule.bad = "SELECT id FROM t WHERE a + 1 = 10";
  rule.good = "SELECT id FROM t WHERE a = 9";
  rule.fix = "rewrite-arithmetic-on-column";
  rule.fix_title = "Move the arithmetic to the other side, so that the column stands alone";
  rule.fix_safety = Safety::Safe;
  rule.on_expression = [](const Site& site, const Expression& node, Report& report) {
    if (site.clause != Clause::Where || !IsComparison(node)) return;
    const Expression& left = *Operand(node, 0);
    if (IsOneOf(OperatorOf(left), {"+", "-", "*", "/"}) && IsColumn(Operand(left, 0)) &&
        IsConstant(Operand(left, 1)) && IsConstant(Operand(node, 1)))
      report.At(node.begin, node.end);
  };
  return rule;
}

}  // namespace schemaward::review
