// UNIQUE on a column that may be NULL.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule nullable_unique() {
  Rule rule;
  rule.id = "nullable-unique";
  rule.title = "UNIQUE on a column that may be NULL";
  rule.message = "any number of rows may hold NULL there";
  rule.severity = Severity::Low;
  rule.level = Level::Warn;
  rule.category = Category::Nullability;
  rule.why = "NULLs are not equal to each other, so UNIQUE lets them pass.";
  rule.dialect = "postgres";
  rule.bad = "CREATE TABLE t (id int PRIMARY KEY, a text UNIQUE)";
  rule.good = "CREATE TABLE t (id int PRIMARY KEY, a text NOT NULL UNIQUE)";
  rule.fix = "rewrite-nullable-unique";
  rule.fix_title = "Make the column NOT NULL, or say NULLS NOT DISTINCT";
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::CreateTable) return;
    for (const query::ColumnDefinition& column : node.definitions)
      if (column.is_unique && !column.is_not_null && !column.is_primary_key)
        report.At(column.begin, column.end);
  };
  return rule;
}

}  // namespace schemaward::review
