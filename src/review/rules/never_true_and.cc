// One column asked to equal two values.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule never_true_and() {
  Rule rule;
  rule.id = "never-true-and";
  rule.title = "One column asked to equal two values";
  rule.message = "no value equals both, so the condition is never true";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Correctness;
  rule.why = "OR, or IN, was probably meant.";
  rule.dialect = "postgres";
  rule.bad = "SELECT id FROM t WHERE a = 1 AND a = 2";
  rule.good = "SELECT id FROM t WHERE a IN (1, 2)";
  rule.fix = "rewrite-never-true-and";
  rule.fix_title = "Join the values by OR, or write IN";
  rule.on_expression = [](const Site& /*site*/, const Expression& node, Report& report) {
    if (OperatorOf(node) != "AND") return;
    const Expression& left = *Operand(node, 0);
    const Expression& right = *Operand(node, 1);
    if (OperatorOf(left) != "=" || OperatorOf(right) != "=") return;
    const bool same_column =
        IsColumn(Operand(left, 0)) && SameValue(Operand(left, 0), Operand(right, 0));
    const bool two_values = IsLiteral(Operand(left, 1)) && IsLiteral(Operand(right, 1)) &&
                            Operand(left, 1)->form == Operand(right, 1)->form &&
                            !SameValue(Operand(left, 1), Operand(right, 1)) &&
                            !IsText(Operand(left, 1));
    if (same_column && two_values) report.At(node.begin, node.end);
  };
  return rule;
}

}  // namespace schemaward::review
