// Arithmetic or concatenation with NULL.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule concatenation_of_null() {
  Rule rule;
  rule.id = "concatenation-of-null";
  rule.title = "Arithmetic or concatenation with NULL";
  rule.message = "the result is always NULL";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Nullability;
  rule.why = "Any operator with NULL gives NULL.";
  rule.dialect = "postgres";
  rule.bad = "SELECT a || NULL AS x FROM t";
  rule.good = "SELECT coalesce(a, '') AS x FROM t";
  rule.fix = "rewrite-concatenation-of-null";
  rule.fix_title = "Remove the NULL, or COALESCE the value that is meant";
  rule.fix_safety = Safety::Safe;
  rule.on_expression = [](const Site& /*site*/, const Expression& node, Report& report) {
    if (IsOneOf(OperatorOf(node), {"+", "-", "*", "/", "||"}) &&
        (IsNull(Operand(node, 0)) || IsNull(Operand(node, 1))))
      report.At(node.begin, node.end);
  };
  return rule;
}

}  // namespace schemaward::review
