// A 32-bit counting key.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule small_serial_key() {
  Rule rule;
  rule.id = "small-serial-key";
  rule.title = "A 32-bit counting key";
  rule.message = "it ends at 2147483647";
  rule.severity = Severity::Low;
  rule.level = Level::Off;
  rule.category = Category::Types;
  rule.why = "bigint costs four bytes a row.";
  rule.dialect = "postgres";
  rule.bad = "CREATE TABLE t (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY)";
  rule.good = "CREATE TABLE t (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY)";
  rule.fix = "rewrite-small-serial-key";
  rule.fix_title = "Use a 64-bit key";
  rule.only = {"postgres"};
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::CreateTable) return;
    for (const query::ColumnDefinition& column : node.definitions)
      if (column.is_primary_key && column.is_counting &&
          IsOneOf(column.type.name, {"INT", "INTEGER", "INT4"}))
        report.At(column.type.begin, column.type.end);
  };
  return rule;
}

}  // namespace schemaward::review
