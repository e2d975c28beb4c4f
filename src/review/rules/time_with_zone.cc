// A time of day with a zone.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule time_with_zone() {
  Rule rule;
  rule.id = "time-with-zone";
  rule.title = "A time of day with a zone";
  rule.message = "a time of day without a date has no definite zone";
  rule.severity = Severity::Low;
  rule.level = Level::Warn;
  rule.category = Category::Types;
  rule.why = "Summer time cannot be known.";
  rule.dialect = "postgres";
  rule.bad = "CREATE TABLE t (id int PRIMARY KEY, at timetz)";
  rule.good = "CREATE TABLE t (id int PRIMARY KEY, at time)";
  rule.fix = "rewrite-time-with-zone";
  rule.fix_title = "Use a moment with its zone, or a time without one";
  rule.only = {"postgres"};
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::CreateTable) return;
    for (const query::ColumnDefinition& column : node.definitions)
      if (IsOneOf(column.type.name, {"TIMETZ", "TIME WITH TIME ZONE"}))
        report.At(column.type.begin, column.type.end);
  };
  return rule;
}

}  // namespace schemaward::review
