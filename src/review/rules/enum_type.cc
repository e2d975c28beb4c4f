// ENUM of MySQL.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule enum_type() {
  Rule rule;
  rule.id = "enum-type";
  rule.title = "ENUM of MySQL";
  rule.message = "a new value needs a change of the table";
  rule.severity = Severity::Low;
  rule.level = Level::Warn;
  rule.category = Category::Portability;
  rule.why = "A table of values, or a CHECK, is changed without rewriting and is known elsewhere.";
  rule.dialect = "mysql";
  rule.bad = "CREATE TABLE t (id int PRIMARY KEY, a enum('x', 'y'))";
  rule.good = "CREATE TABLE t (id int PRIMARY KEY, a varchar(9))";
  rule.fix = "rewrite-enum-type";
  rule.fix_title = "Use text with a CHECK, or a table of values with a foreign key";
  rule.only = {"mysql"};
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::CreateTable) return;
    for (const query::ColumnDefinition& column : node.definitions)
      if (column.type.name == "ENUM") report.At(column.type.begin, column.type.end);
  };
  return rule;
}

}  // namespace schemaward::review
