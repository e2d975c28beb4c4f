// A column named twice in INSERT.
#include "base/ascii.h"
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule insert_column_twice() {
  Rule rule;
  rule.id = "insert-column-twice";
  rule.title = "A column named twice in INSERT";
  rule.message = "a column is named twice";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Correctness;
  rule.why = "The statement fails.";
  rule.dialect = "postgres";
  rule.bad = "INSERT INTO t (a, a) VALUES (1, 2)";
  rule.good = "INSERT INTO t (a, b) VALUES (1, 2)";
  rule.fix = "rewrite-insert-column-twice";
  rule.fix_title = "Name the column once";
  rule.fix_safety = Safety::Safe;
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::Insert) return;
    for (std::size_t i = 0; i < node.columns.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (EqualsIgnoringAsciiCase(node.columns[i].text, node.columns[j].text))
          report.At(node.target->begin, node.target->end);
  };
  return rule;
}

}  // namespace schemaward::review
