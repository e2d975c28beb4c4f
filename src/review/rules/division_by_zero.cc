// Division by the number zero.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule division_by_zero() {
  Rule rule;
  rule.id = "division-by-zero";
  rule.title = "Division by the number zero";
  rule.message = "the divisor is the number zero";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Correctness;
  rule.why = "The statement fails, or gives NULL, for every row.";
  rule.dialect = "postgres";
  rule.bad = "SELECT a / 0 AS x FROM t";
  rule.good = "SELECT a / NULLIF(b, 0) AS x FROM t";
  rule.fix = "rewrite-division-by-zero";
  rule.fix_title = "Divide by the value that is meant, or by NULLIF(value, 0)";
  rule.on_expression = [](const Site& /*site*/, const Expression& node, Report& report) {
    if (IsOneOf(OperatorOf(node), {"/", "%"}) && IsInteger(Operand(node, 1)) &&
        Operand(node, 1)->text == "0")
      report.At(node.begin, node.end);
  };
  return rule;
}

}  // namespace schemaward::review
