// AND between assignments.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule update_set_and() {
  Rule rule;
  rule.id = "update-set-and";
  rule.title = "AND between assignments";
  rule.message = "the value is a condition: AND stands where a comma was meant";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Correctness;
  rule.why = "One column gets the truth of both, the other is not changed.";
  rule.dialect = "postgres";
  rule.bad = "UPDATE t SET a = 1 AND b = 2 WHERE id = 1";
  rule.good = "UPDATE t SET a = 1, b = 2 WHERE id = 1";
  rule.fix = "rewrite-update-set-and";
  rule.fix_title = "Separate the assignments by commas";
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::Update) return;
    for (const query::Assignment& one : node.assignments)
      if (one.value && OperatorOf(*one.value) == "AND" &&
          OperatorOf(*Operand(*one.value, 1)) == "=" && !IsColumn(Operand(*one.value, 0)) &&
          IsLiteral(Operand(*one.value, 0)))
        report.At(one.begin, one.end);
  };
  return rule;
}

}  // namespace schemaward::review
