// A column named like a word of SQL.
#include "base/ascii.h"
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule keyword_name() {
  Rule rule;
  rule.id = "keyword-name";
  rule.title = "A column named like a word of SQL";
  rule.message = "the name is a word of SQL";
  rule.severity = Severity::Low;
  rule.level = Level::Warn;
  rule.category = Category::Naming;
  rule.judges_names = true;
  rule.why = "Some engine refuses it without quotes.";
  rule.dialect = "postgres";
  rule.bad = "CREATE TABLE t (id int PRIMARY KEY, \"order\" int)";
  rule.good = "CREATE TABLE t (id int PRIMARY KEY, position int)";
  rule.fix = "rewrite-keyword-name";
  rule.fix_title = "Choose a name that is no word of SQL";
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::CreateTable) return;
    for (const query::ColumnDefinition& column : node.definitions)
      if (IsOneOf(LowerAscii(column.name.text),
                  {"order", "group", "select", "table", "user", "index", "where", "from", "to",
                   "desc", "key", "limit", "check", "default"}))
        report.At(column.begin, column.end);
  };
  return rule;
}

}  // namespace schemaward::review
