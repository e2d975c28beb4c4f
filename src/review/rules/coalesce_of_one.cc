// COALESCE of one value.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule coalesce_of_one() {
  Rule rule;
  rule.id = "coalesce-of-one";
  rule.title = "COALESCE of one value";
  rule.message = "COALESCE of one value is that value";
  rule.severity = Severity::Low;
  rule.level = Level::Warn;
  rule.category = Category::Nullability;
  rule.why = "A default was probably forgotten.";
  rule.dialect = "postgres";
  rule.bad = "SELECT coalesce(a) AS x FROM t";
  rule.good = "SELECT coalesce(a, 0) AS x FROM t";
  rule.fix = "rewrite-coalesce-of-one";
  rule.fix_title = "Give a second value, or leave COALESCE out";
  rule.fix_safety = Safety::Safe;
  rule.on_expression = [](const Site& /*site*/, const Expression& node, Report& report) {
    if (IsCallOf(&node, {"coalesce"}) && Arguments(node).size() == 1)
      report.At(node.begin, node.end);
  };
  return rule;
}

}  // namespace schemaward::review
