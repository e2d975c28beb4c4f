// LOCK TABLE.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule lock_table() {
  Rule rule;
  rule.id = "lock-table";
  rule.title = "LOCK TABLE";
  rule.message = "others wait for the whole table";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Transactions;
  rule.why = "Locking rows holds back less.";
  rule.dialect = "postgres";
  rule.bad = "LOCK TABLE t IN ACCESS EXCLUSIVE MODE";
  rule.good = "SELECT id FROM t WHERE id = 1 FOR UPDATE";
  rule.fix = "rewrite-lock-table";
  rule.fix_title = "Lock the rows that are changed with SELECT ... FOR UPDATE";
  rule.on_change = [](const Site& site, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::Other || node.words.empty()) return;
    if (node.words.front() == "LOCK") report.At(site.statement.begin, site.statement.head_end);
  };
  return rule;
}

}  // namespace schemaward::review
