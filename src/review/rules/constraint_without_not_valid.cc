// A constraint checked while the table is locked.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule constraint_without_not_valid() {
  Rule rule;
  rule.id = "constraint-without-not-valid";
  rule.title = "A constraint checked while the table is locked";
  rule.message = "existing rows are checked under a lock";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Transactions;
  rule.why = "NOT VALID first and VALIDATE later checks without blocking.";
  rule.dialect = "postgres";
  rule.bad = "ALTER TABLE t ADD CONSTRAINT c FOREIGN KEY (a) REFERENCES u (id)";
  rule.good = "ALTER TABLE t ADD CONSTRAINT c FOREIGN KEY (a) REFERENCES u (id) NOT VALID";
  rule.fix = "rewrite-constraint-without-not-valid";
  rule.fix_title = "Add it NOT VALID, then VALIDATE CONSTRAINT";
  rule.fix_safety = Safety::Safe;
  rule.only = {"postgres"};
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    for (const query::AlterAction& action : node.actions)
      if (action.kind == query::AlterKind::AddConstraint && !action.is_not_valid &&
          (action.constraint.kind == query::ConstraintKind::ForeignKey ||
           action.constraint.kind == query::ConstraintKind::Check))
        report.At(action.begin, action.end);
  };
  return rule;
}

}  // namespace schemaward::review
