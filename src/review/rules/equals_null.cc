// Comparison with NULL by an operator.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule equals_null() {
  Rule rule;
  rule.id = "equals-null";
  rule.title = "Comparison with NULL by an operator";
  rule.message = "a comparison with NULL is never true; IS NULL or IS NOT NULL asks it";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Correctness;
  rule.why = "A comparison with NULL is unknown, so no row passes and no error says so.";
  rule.dialect = "postgres";
  rule.bad = "SELECT id FROM t WHERE a = NULL";
  rule.good = "SELECT id FROM t WHERE a IS NULL";
  rule.fix = "rewrite-equals-null";
  rule.fix_title = "Write IS NULL or IS NOT NULL";
  rule.on_expression = [](const Site& /*site*/, const Expression& node, Report& report) {
    if (!IsComparison(node)) return;
    if (IsNull(Operand(node, 0)) || IsNull(Operand(node, 1))) report.At(node.begin, node.end);
  };
  return rule;
}

}  // namespace schemaward::review
