// A row of another length than its columns.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule insert_count_mismatch() {
  Rule rule;
  rule.id = "insert-count-mismatch";
  rule.title = "A row of another length than its columns";
  rule.message = "the row has another number of values than there are columns";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Correctness;
  rule.why = "The statement fails.";
  rule.dialect = "postgres";
  rule.bad = "INSERT INTO t (a, b) VALUES (1)";
  rule.good = "INSERT INTO t (a, b) VALUES (1, 2)";
  rule.fix = "rewrite-insert-count-mismatch";
  rule.fix_title = "Give each row as many values as there are columns";
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::Insert || node.columns.empty()) return;
    for (const auto& row : node.rows)
      if (!row.empty() && row.size() != node.columns.size())
        report.At(row.front()->begin, row.back()->end);
  };
  return rule;
}

}  // namespace schemaward::review
