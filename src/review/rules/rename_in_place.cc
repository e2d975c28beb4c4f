// A table or column is renamed.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule rename_in_place() {
  Rule rule;
  rule.id = "rename-in-place";
  rule.title = "A table or column is renamed";
  rule.message = "programs that use the old name fail at once";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Safety;
  rule.why = "A view, or both names for a while, avoids the gap.";
  rule.dialect = "postgres";
  rule.bad = "ALTER TABLE t RENAME COLUMN a TO b";
  rule.good = "ALTER TABLE t ADD COLUMN b int";
  rule.fix = "rewrite-rename-in-place";
  rule.fix_title = "Add the new name beside the old, move the readers, then drop the old";
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    for (const query::AlterAction& action : node.actions)
      if (action.kind == query::AlterKind::Rename) report.At(action.begin, action.end);
  };
  return rule;
}

}  // namespace schemaward::review
