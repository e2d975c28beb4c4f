// DELETE without WHERE.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule delete_without_where() {
  Rule rule;
  rule.id = "delete-without-where";
  rule.title = "DELETE without WHERE";
  rule.message = "every row of the table is deleted";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Safety;
  rule.why = "A condition was probably forgotten.";
  rule.dialect = "postgres";
  rule.bad = "DELETE FROM t";
  rule.good = "DELETE FROM t WHERE id = 2";
  rule.fix = "rewrite-delete-without-where";
  rule.fix_title = "Name the rows that are meant in WHERE; TRUNCATE where all are";
  rule.fix_safety = Safety::Risky;
  rule.on_change = [](const Site& site, const query::Change& node, Report& report) {
    // Behind WITH or EXPLAIN ANALYZE the statement's first word is another.
    const bool leads = site.statement.head_end - site.statement.begin == node.words.front().size();
    if (node.kind == query::ChangeKind::Delete && !node.is_of_merge && node.where == nullptr &&
        node.limit == nullptr && node.from.empty() && node.target->kind != query::TableKind::Join)
      report.At(leads ? site.statement.begin : node.target->begin,
                leads ? site.statement.head_end : node.target->end);
  };
  return rule;
}

}  // namespace schemaward::review
