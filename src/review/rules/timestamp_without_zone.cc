// A moment without its zone.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule timestamp_without_zone() {
  Rule rule;
  rule.id = "timestamp-without-zone";
  rule.title = "A moment without its zone";
  rule.message = "the moment cannot be told without knowing the writer's zone";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Types;
  rule.why = "timestamptz keeps the moment.";
  rule.dialect = "postgres";
  rule.bad = "CREATE TABLE t (id int PRIMARY KEY, at timestamp)";
  rule.good = "CREATE TABLE t (id int PRIMARY KEY, at timestamptz)";
  rule.fix = "rewrite-timestamp-without-zone";
  rule.fix_title = "Use timestamp with time zone";
  rule.only = {"postgres"};
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::CreateTable) return;
    for (const query::ColumnDefinition& column : node.definitions)
      if (IsOneOf(column.type.name, {"TIMESTAMP", "TIMESTAMP WITHOUT TIME ZONE"}))
        report.At(column.type.begin, column.type.end);
  };
  return rule;
}

}  // namespace schemaward::review
