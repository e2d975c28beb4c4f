// MySQL's operator for equal or both NULL.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule null_safe_operator() {
  Rule rule;
  rule.id = "null-safe-operator";
  rule.title = "MySQL's operator for equal or both NULL";
  rule.message = "<=> is MySQL's alone; IS NOT DISTINCT FROM is the standard's";
  rule.severity = Severity::Low;
  rule.level = Level::Warn;
  rule.category = Category::Portability;
  rule.why = "Other engines refuse it.";
  rule.dialect = "mysql";
  rule.bad = "SELECT id FROM t WHERE a <=> b";
  rule.good = "SELECT id FROM t WHERE a = b";
  rule.fix = "rewrite-null-safe-operator";
  rule.fix_title = "Write IS NOT DISTINCT FROM, or the two cases";
  rule.fix_safety = Safety::Safe;
  rule.only = {"mysql"};
  rule.on_expression = [](const Site& /*site*/, const Expression& node, Report& report) {
    if (OperatorOf(node) == "<=>") report.At(node.begin, node.end);
  };
  return rule;
}

}  // namespace schemaward::review
