// ON DELETE SET NULL on a NOT NULL column.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule not_null_set_null() {
  Rule rule;
  rule.id = "not-null-set-null";
  rule.title = "ON DELETE SET NULL on a NOT NULL column";
  rule.message = "deleting the other row fails: the column takes no NULL";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::SchemaDesign;
  rule.why = "The two contradict each other.";
  rule.dialect = "postgres";
  rule.bad =
      "CREATE TABLE t (id int PRIMARY KEY, u_id int NOT NULL REFERENCES u (id) ON DELETE SET NULL)";
  rule.good = "CREATE TABLE t (id int PRIMARY KEY, u_id int REFERENCES u (id) ON DELETE SET NULL)";
  rule.fix = "rewrite-not-null-set-null";
  rule.fix_title = "Choose another action, or let the column be NULL";
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::CreateTable) return;
    for (const query::ColumnDefinition& column : node.definitions)
      if (column.is_not_null && column.references && column.references->on_delete == "SET NULL")
        report.At(column.begin, column.end);
  };
  return rule;
}

}  // namespace schemaward::review
