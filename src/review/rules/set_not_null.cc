// SET NOT NULL on a table in use.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule set_not_null() {
  Rule rule;
  rule.id = "set-not-null";
  rule.title = "SET NOT NULL on a table in use";
  rule.message = "the whole table is read while it is locked";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Transactions;
  rule.why = "A CHECK that is NOT VALID first, then validated, locks briefly.";
  rule.dialect = "postgres";
  rule.bad = "ALTER TABLE t ALTER COLUMN a SET NOT NULL";
  rule.good = "ALTER TABLE t ADD COLUMN b int";
  rule.fix = "rewrite-set-not-null";
  rule.fix_title = "Add a CHECK (column IS NOT NULL) NOT VALID, validate it, then SET NOT NULL";
  rule.fix_safety = Safety::Safe;
  rule.only = {"postgres"};
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    for (const query::AlterAction& action : node.actions)
      if (action.kind == query::AlterKind::SetNotNull) report.At(action.begin, action.end);
  };
  return rule;
}

}  // namespace schemaward::review
