// UNSIGNED.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule unsigned_type() {
  Rule rule;
  rule.id = "unsigned-type";
  rule.title = "UNSIGNED";
  rule.message = "UNSIGNED is MySQL's alone";
  rule.severity = Severity::Low;
  rule.level = Level::Off;
  rule.category = Category::Portability;
  rule.why = "Subtraction of two unsigned values fails below zero.";
  rule.dialect = "mysql";
  rule.bad = "CREATE TABLE t (id int PRIMARY KEY, a int unsigned)";
  rule.good = "CREATE TABLE t (id int PRIMARY KEY, a int)";
  rule.fix = "rewrite-unsigned-type";
  rule.fix_title = "Use a signed type with a CHECK (column >= 0)";
  rule.only = {"mysql"};
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::CreateTable) return;
    for (const query::ColumnDefinition& column : node.definitions)
      if (column.type.name.find("UNSIGNED") != std::string::npos)
        report.At(column.type.begin, column.type.end);
  };
  return rule;
}

}  // namespace schemaward::review
