// Two inequalities joined by OR.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule always_true_or() {
  Rule rule;
  rule.id = "always-true-or";
  rule.title = "Two inequalities joined by OR";
  rule.message = "every value differs from one of the two, so the condition is always true";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Correctness;
  rule.why = "A value cannot equal both; AND, or NOT IN, was meant.";
  rule.dialect = "postgres";
  rule.bad = "SELECT id FROM t WHERE a <> 1 OR a <> 2";
  rule.good = "SELECT id FROM t WHERE a <> 1 AND a <> 2";
  rule.fix = "rewrite-always-true-or";
  rule.fix_title = "Join the inequalities by AND, or write NOT IN";
  rule.on_expression = [](const Site& /*site*/, const Expression& node, Report& report) {
    if (OperatorOf(node) != "OR") return;
    const Expression& left = *Operand(node, 0);
    const Expression& right = *Operand(node, 1);
    if (OperatorOf(left) != "<>" || OperatorOf(right) != "<>") return;
    const bool same_column =
        IsColumn(Operand(left, 0)) && SameValue(Operand(left, 0), Operand(right, 0));
    const bool two_values = IsLiteral(Operand(left, 1)) && IsLiteral(Operand(right, 1)) &&
                            !SameValue(Operand(left, 1), Operand(right, 1));
    if (same_column && two_values) report.At(node.begin, node.end);
  };
  return rule;
}

}  // namespace schemaward::review
