// CHAR(n).
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule padded_text() {
  Rule rule;
  rule.id = "padded-text";
  rule.title = "CHAR(n)";
  rule.message = "short values are padded with blanks";
  rule.severity = Severity::Low;
  rule.level = Level::Warn;
  rule.category = Category::Types;
  rule.why = "Comparisons and lengths surprise; VARCHAR or TEXT hold what was given.";
  rule.dialect = "postgres";
  rule.bad = "CREATE TABLE t (id int PRIMARY KEY, a char(20))";
  rule.good = "CREATE TABLE t (id int PRIMARY KEY, a varchar(20))";
  rule.fix = "rewrite-padded-text";
  rule.fix_title = "Use text or varchar";
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::CreateTable) return;
    for (const query::ColumnDefinition& column : node.definitions)
      if (IsOneOf(column.type.name, {"CHAR", "CHARACTER"}) && !column.type.arguments.empty() &&
          column.type.arguments.front().size() > 1)
        report.At(column.type.begin, column.type.end);
  };
  return rule;
}

}  // namespace schemaward::review
