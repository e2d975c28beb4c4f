// RIGHT JOIN.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule right_join() {
  Rule rule;
  rule.id = "right-join";
  rule.title = "RIGHT JOIN";
  rule.message = "the table whose rows are all kept stands last";
  rule.severity = Severity::Low;
  rule.level = Level::Warn;
  rule.category = Category::Naming;
  rule.why = "LEFT JOIN with the tables exchanged says the same and reads in order.";
  rule.dialect = "postgres";
  rule.bad = "SELECT t.id FROM u RIGHT JOIN t ON t.id = u.t_id";
  rule.good = "SELECT t.id FROM t LEFT JOIN u ON t.id = u.t_id";
  rule.fix = "rewrite-right-join";
  rule.fix_title = "Swap the tables and write LEFT JOIN";
  rule.fix_safety = Safety::Safe;
  rule.on_table = [](const Site& /*site*/, const query::TableExpression& node, Report& report) {
    if (node.kind == query::TableKind::Join && node.join == " RIGHT JOIN ")
      report.At(node.begin, node.end);
  };
  return rule;
}

}  // namespace schemaward::review
