// A prefix that says it is a table.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule table_prefix() {
  Rule rule;
  rule.id = "table-prefix";
  rule.title = "A prefix that says it is a table";
  rule.message = "the prefix says nothing";
  rule.severity = Severity::Low;
  rule.level = Level::Warn;
  rule.category = Category::Naming;
  rule.judges_names = true;
  rule.why = "Views that replace the table keep a name that is wrong.";
  rule.dialect = "postgres";
  rule.bad = "CREATE TABLE tbl_order (id int PRIMARY KEY)";
  rule.good = "CREATE TABLE orders (id int PRIMARY KEY)";
  rule.fix = "rewrite-table-prefix";
  rule.fix_title = "Leave the prefix out";
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if (node.kind == query::ChangeKind::CreateTable &&
        LastName(node.target->names).rfind("tbl", 0) == 0)
      report.At(node.target->begin, node.target->end);
  };
  return rule;
}

}  // namespace schemaward::review
