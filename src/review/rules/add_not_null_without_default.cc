// A NOT NULL column without a default is added.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule add_not_null_without_default() {
  Rule rule;
  rule.id = "add-not-null-without-default";
  rule.title = "A NOT NULL column without a default is added";
  rule.message = "the statement fails as soon as the table has a row";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Nullability;
  rule.why = "A default, or a nullable column that is filled first, works.";
  rule.dialect = "postgres";
  rule.bad = "ALTER TABLE t ADD COLUMN b int NOT NULL";
  rule.good = "ALTER TABLE t ADD COLUMN b int NOT NULL DEFAULT 0";
  rule.fix = "rewrite-add-not-null-without-default";
  rule.fix_title = "Give the column a DEFAULT, or add it nullable, fill it, then set NOT NULL";
  rule.fix_safety = Safety::Safe;
  rule.only = {"postgres", "sqlite", "duckdb"};
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    for (const query::AlterAction& action : node.actions)
      if (action.kind == query::AlterKind::AddColumn && action.column.is_not_null &&
          action.column.default_value == nullptr && !action.column.is_generated &&
          !action.column.is_counting)
        report.At(action.begin, action.end);
  };
  return rule;
}

}  // namespace schemaward::review
