// FOR UPDATE without a WHERE.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule lock_without_filter() {
  Rule rule;
  rule.id = "lock-without-filter";
  rule.title = "FOR UPDATE without a WHERE";
  rule.message = "every row of the table is locked";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Transactions;
  rule.why = "Others wait until the transaction ends.";
  rule.dialect = "postgres";
  rule.bad = "SELECT id FROM t ORDER BY id FOR UPDATE";
  rule.good = "SELECT id FROM t WHERE id = 1 FOR UPDATE";
  rule.fix = "rewrite-lock-without-filter";
  rule.fix_title = "Name the rows to lock in WHERE";
  rule.on_query = [](const Site& /*site*/, const query::Query& node, Report& report) {
    if (node.lock == "UPDATE" && node.limit == nullptr && !node.terms.empty() &&
        !node.terms.front().nested && node.terms.front().core.where == nullptr)
      report.At(node.begin, node.terms.front().core.head_end);
  };
  return rule;
}

}  // namespace schemaward::review
