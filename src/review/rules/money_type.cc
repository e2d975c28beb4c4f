// The type money.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule money_type() {
  Rule rule;
  rule.id = "money-type";
  rule.title = "The type money";
  rule.message = "its meaning changes with the server's locale";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Types;
  rule.why = "NUMERIC holds amounts exactly and everywhere alike.";
  rule.dialect = "postgres";
  rule.bad = "CREATE TABLE t (id int PRIMARY KEY, a money)";
  rule.good = "CREATE TABLE t (id int PRIMARY KEY, a numeric(12, 2))";
  rule.fix = "rewrite-money-type";
  rule.fix_title = "Use numeric with a fixed scale and a column for the currency";
  rule.only = {"postgres"};
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::CreateTable) return;
    for (const query::ColumnDefinition& column : node.definitions)
      if (column.type.name == "MONEY") report.At(column.type.begin, column.type.end);
  };
  return rule;
}

}  // namespace schemaward::review
