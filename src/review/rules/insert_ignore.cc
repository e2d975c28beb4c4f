// INSERT IGNORE.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule insert_ignore() {
  Rule rule;
  rule.id = "insert-ignore";
  rule.title = "INSERT IGNORE";
  rule.message = "every error becomes a warning, not only a duplicate key";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Safety;
  rule.why = "Values that do not fit are changed silently.";
  rule.dialect = "mysql";
  rule.bad = "INSERT IGNORE INTO t (a) VALUES (1)";
  rule.good = "INSERT INTO t (a) VALUES (1)";
  rule.fix = "rewrite-insert-ignore";
  rule.fix_title = "Say what a conflict does: ON DUPLICATE KEY UPDATE";
  rule.only = {"mysql"};
  rule.on_change = [](const Site& site, const query::Change& node, Report& report) {
    if (node.kind == query::ChangeKind::Insert && node.ignores_errors)
      report.At(site.statement.begin, site.statement.head_end);
  };
  return rule;
}

}  // namespace schemaward::review
