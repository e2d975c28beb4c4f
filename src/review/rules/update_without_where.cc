// UPDATE without WHERE.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule update_without_where() {
  Rule rule;
  rule.id = "update-without-where";
  rule.title = "UPDATE without WHERE";
  rule.message = "every row of the table is changed";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Safety;
  rule.why = "A condition was probably forgotten; WHERE TRUE would not be noticed either.";
  rule.dialect = "postgres";
  rule.bad = "UPDATE t SET a = 1";
  rule.good = "UPDATE t SET a = 1 WHERE id = 2";
  rule.fix = "rewrite-update-without-where";
  rule.fix_title = "Name the rows that are meant in WHERE";
  rule.fix_safety = Safety::Risky;
  rule.on_change = [](const Site& site, const query::Change& node, Report& report) {
    // Behind WITH or EXPLAIN ANALYZE the statement's first word is another.
    const bool leads = site.statement.head_end - site.statement.begin == node.words.front().size();
    if (node.kind == query::ChangeKind::Update && !node.is_of_merge && node.where == nullptr &&
        node.limit == nullptr && node.from.empty() && node.target->kind != query::TableKind::Join)
      report.At(leads ? site.statement.begin : node.target->begin,
                leads ? site.statement.head_end : node.target->end);
  };
  return rule;
}

}  // namespace schemaward::review
