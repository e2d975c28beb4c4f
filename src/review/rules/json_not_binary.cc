// The type json.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule json_not_binary() {
  Rule rule;
  rule.id = "json-not-binary";
  rule.title = "The type json";
  rule.message = "it is kept as text and read anew each time";
  rule.severity = Severity::Low;
  rule.level = Level::Warn;
  rule.category = Category::Types;
  rule.why = "jsonb can be indexed and compared.";
  rule.dialect = "postgres";
  rule.bad = "CREATE TABLE t (id int PRIMARY KEY, a json)";
  rule.good = "CREATE TABLE t (id int PRIMARY KEY, a jsonb)";
  rule.fix = "rewrite-json-not-binary";
  rule.fix_title = "Use jsonb";
  rule.only = {"postgres"};
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::CreateTable) return;
    for (const query::ColumnDefinition& column : node.definitions)
      if (column.type.name == "JSON") report.At(column.type.begin, column.type.end);
  };
  return rule;
}

}  // namespace schemaward::review
