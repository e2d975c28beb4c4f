// NATURAL JOIN.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule natural_join() {
  Rule rule;
  rule.id = "natural-join";
  rule.title = "NATURAL JOIN";
  rule.message = "the columns that join are those that happen to share a name";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Correctness;
  rule.why = "A column added to either table changes the result without an error.";
  rule.dialect = "postgres";
  rule.bad = "SELECT id FROM t NATURAL JOIN u";
  rule.good = "SELECT id FROM t JOIN u USING (id)";
  rule.fix = "rewrite-natural-join";
  rule.fix_title = "Name the columns with USING or ON";
  rule.fix_safety = Safety::Safe;
  rule.on_table = [](const Site& /*site*/, const query::TableExpression& node, Report& report) {
    if (node.is_natural) report.At(node.begin, node.end);
  };
  return rule;
}

}  // namespace schemaward::review
