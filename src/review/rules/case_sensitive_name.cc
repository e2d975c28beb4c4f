// A name that needs quotes.
#include <algorithm>

#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule case_sensitive_name() {
  Rule rule;
  rule.id = "case-sensitive-name";
  rule.title = "A name that needs quotes";
  rule.message = "the name must be quoted wherever it is used";
  rule.severity = Severity::Low;
  rule.level = Level::Warn;
  rule.category = Category::Naming;
  rule.why = "Capitals and blanks are folded or refused without quotes.";
  rule.dialect = "postgres";
  rule.bad = "CREATE TABLE t (id int PRIMARY KEY, \"Full Name\" text)";
  rule.good = "CREATE TABLE t (id int PRIMARY KEY, full_name text)";
  rule.fix = "rewrite-case-sensitive-name";
  rule.fix_title = "Use lower case and underscores";
  rule.only = {"postgres"};
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::CreateTable) return;
    for (const query::ColumnDefinition& column : node.definitions)
      if (column.name.is_quoted &&
          std::any_of(column.name.text.begin(), column.name.text.end(),
                      [](char c) { return c == ' ' || c == '-' || (c >= 'A' && c <= 'Z'); }))
        report.At(column.begin, column.end);
  };
  return rule;
}

}  // namespace schemaward::review
