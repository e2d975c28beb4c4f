// A foreign key that does not say what deletion does.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule foreign_key_without_action() {
  Rule rule;
  rule.id = "foreign-key-without-action";
  rule.title = "A foreign key that does not say what deletion does";
  rule.message = "what deleting the other row does is left to the default";
  rule.severity = Severity::Low;
  rule.level = Level::Off;
  rule.category = Category::SchemaDesign;
  rule.why = "Saying it makes it a decision.";
  rule.dialect = "postgres";
  rule.bad = "CREATE TABLE t (id int PRIMARY KEY, u_id int REFERENCES u (id))";
  rule.good = "CREATE TABLE t (id int PRIMARY KEY, u_id int REFERENCES u (id) ON DELETE CASCADE)";
  rule.fix = "rewrite-foreign-key-without-action";
  rule.fix_title = "Say ON DELETE RESTRICT, CASCADE or SET NULL";
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::CreateTable) return;
    for (const query::ColumnDefinition& column : node.definitions)
      if (column.references && column.references->on_delete.empty())
        report.At(column.begin, column.end);
  };
  return rule;
}

}  // namespace schemaward::review
