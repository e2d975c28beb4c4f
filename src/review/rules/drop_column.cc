// A column is dropped.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule drop_column() {
  Rule rule;
  rule.id = "drop-column";
  rule.title = "A column is dropped";
  rule.message = "the column's values go, and programs that name it fail";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Safety;
  rule.why = "Two releases, one that stops using it and one that drops it, avoid the gap.";
  rule.dialect = "postgres";
  rule.bad = "ALTER TABLE t DROP COLUMN a";
  rule.good = "ALTER TABLE t ADD COLUMN b int";
  rule.fix = "rewrite-drop-column";
  rule.fix_title = "Stop reading the column first, and drop it in a later release";
  rule.fix_safety = Safety::Risky;
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    for (const query::AlterAction& action : node.actions)
      if (action.kind == query::AlterKind::DropColumn) report.At(action.begin, action.end);
  };
  return rule;
}

}  // namespace schemaward::review
