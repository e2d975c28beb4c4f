// DEFAULT NULL on a NOT NULL column.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule default_null_not_null() {
  Rule rule;
  rule.id = "default-null-not-null";
  rule.title = "DEFAULT NULL on a NOT NULL column";
  rule.message = "the default is refused by the column";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Nullability;
  rule.why = "An INSERT that leaves the column out fails.";
  rule.dialect = "postgres";
  rule.bad = "CREATE TABLE t (id int PRIMARY KEY, a int NOT NULL DEFAULT NULL)";
  rule.good = "CREATE TABLE t (id int PRIMARY KEY, a int NOT NULL DEFAULT 0)";
  rule.fix = "rewrite-default-null-not-null";
  rule.fix_title = "Give a default that is a value, or none";
  rule.fix_safety = Safety::Safe;
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::CreateTable) return;
    for (const query::ColumnDefinition& column : node.definitions)
      if (column.is_not_null && IsNull(column.default_value.get()))
        report.At(column.begin, column.end);
  };
  return rule;
}

}  // namespace schemaward::review
