// A change whose WHERE is always true.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule change_with_true_condition() {
  Rule rule;
  rule.id = "change-with-true-condition";
  rule.title = "A change whose WHERE is always true";
  rule.message = "the condition is true for every row";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Safety;
  rule.why = "It reads like a filter and is none.";
  rule.dialect = "postgres";
  rule.bad = "DELETE FROM t WHERE 1 = 1";
  rule.good = "DELETE FROM t WHERE id = 1";
  rule.fix = "rewrite-change-with-true-condition";
  rule.fix_title = "Name the rows that are meant in WHERE";
  rule.fix_safety = Safety::Risky;
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if ((node.kind == query::ChangeKind::Delete || node.kind == query::ChangeKind::Update) &&
        node.where != nullptr && IsConstantTrue(*node.where))
      report.At(node.where->begin, node.where->end);
  };
  return rule;
}

}  // namespace schemaward::review
