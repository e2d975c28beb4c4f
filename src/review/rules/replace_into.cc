// REPLACE.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule replace_into() {
  Rule rule;
  rule.id = "replace-into";
  rule.title = "REPLACE";
  rule.message = "the row that is there is deleted first";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Safety;
  rule.why = "Columns that are not given lose their values, and rows that refer to it may go.";
  rule.dialect = "mysql";
  rule.bad = "REPLACE INTO t (a) VALUES (1)";
  rule.good = "INSERT INTO t (a) VALUES (1)";
  rule.fix = "rewrite-replace-into";
  rule.fix_title = "Write an upsert: ON DUPLICATE KEY UPDATE or ON CONFLICT DO UPDATE";
  rule.on_change = [](const Site& site, const query::Change& node, Report& report) {
    if (node.kind == query::ChangeKind::Insert && node.is_replacing)
      report.At(site.statement.begin, site.statement.head_end);
  };
  return rule;
}

}  // namespace schemaward::review
