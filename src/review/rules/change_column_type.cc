// A column's type is changed in place.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule change_column_type() {
  Rule rule;
  rule.id = "change-column-type";
  rule.title = "A column's type is changed in place";
  rule.message = "the table may be written anew while it is locked";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Transactions;
  rule.why = "A new column that is filled in steps does not block.";
  rule.dialect = "postgres";
  rule.bad = "ALTER TABLE t ALTER COLUMN a TYPE bigint";
  rule.good = "ALTER TABLE t ADD COLUMN b int";
  rule.fix = "rewrite-change-column-type";
  rule.fix_title = "Add a new column, fill it in batches, then swap the two";
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    for (const query::AlterAction& action : node.actions)
      if (action.kind == query::AlterKind::AlterType) report.At(action.begin, action.end);
  };
  return rule;
}

}  // namespace schemaward::review
