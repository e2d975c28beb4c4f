// INSERT without a list of columns.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule insert_without_columns() {
  Rule rule;
  rule.id = "insert-without-columns";
  rule.title = "INSERT without a list of columns";
  rule.message = "values are given by position";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Safety;
  rule.why = "A column that is added or moved puts them into the wrong place.";
  rule.dialect = "postgres";
  rule.bad = "INSERT INTO t VALUES (1, 2)";
  rule.good = "INSERT INTO t (a, b) VALUES (1, 2)";
  rule.fix = "rewrite-insert-without-columns";
  rule.fix_title = "List the columns";
  rule.fix_safety = Safety::Safe;
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if (node.kind == query::ChangeKind::Insert && node.columns.empty() &&
        !node.has_default_values && !node.is_by_name)
      report.At(node.target->begin, node.target->end);
  };
  return rule;
}

}  // namespace schemaward::review
