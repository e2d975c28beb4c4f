// The type serial.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule serial_type() {
  Rule rule;
  rule.id = "serial-type";
  rule.title = "The type serial";
  rule.message = "serial is PostgreSQL's alone; GENERATED AS IDENTITY is the standard's";
  rule.severity = Severity::Low;
  rule.level = Level::Warn;
  rule.category = Category::Portability;
  rule.why = "Its sequence has rights and an owner of its own.";
  rule.dialect = "postgres";
  rule.bad = "CREATE TABLE t (id bigserial PRIMARY KEY)";
  rule.good = "CREATE TABLE t (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY)";
  rule.fix = "rewrite-serial-type";
  rule.fix_title = "Write GENERATED ALWAYS AS IDENTITY";
  rule.fix_safety = Safety::Safe;
  rule.only = {"postgres"};
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::CreateTable) return;
    for (const query::ColumnDefinition& column : node.definitions)
      if (IsOneOf(column.type.name, {"SERIAL", "BIGSERIAL", "SMALLSERIAL"}))
        report.At(column.type.begin, column.type.end);
  };
  return rule;
}

}  // namespace schemaward::review
