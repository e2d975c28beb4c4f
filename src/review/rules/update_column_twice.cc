// A column set twice in UPDATE.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule update_column_twice() {
  Rule rule;
  rule.id = "update-column-twice";
  rule.title = "A column set twice in UPDATE";
  rule.message = "a column is set twice";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Correctness;
  rule.why = "Engines refuse it, or the last one wins.";
  rule.dialect = "postgres";
  rule.bad = "UPDATE t SET a = 1, a = 2 WHERE id = 1";
  rule.good = "UPDATE t SET a = 1, b = 2 WHERE id = 1";
  rule.fix = "rewrite-update-column-twice";
  rule.fix_title = "Set the column once";
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::Update) return;
    for (std::size_t i = 0; i < node.assignments.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (LastName(node.assignments[i].column) == LastName(node.assignments[j].column) &&
            node.assignments[i].column.size() == node.assignments[j].column.size())
          report.At(node.assignments[i].begin, node.assignments[i].end);
  };
  return rule;
}

}  // namespace schemaward::review
