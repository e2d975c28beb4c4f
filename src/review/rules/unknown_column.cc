// A column that is not there.
#include "review/names.h"
#include "review/rules/rules.h"
#include "review/schema_parts.h"

namespace schemaward::review {

Rule unknown_column() {
  Rule rule;
  rule.id = "unknown-column";
  rule.title = "A column that is not there";
  rule.message = "no such column is there";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Correctness;
  rule.why = "The statement fails when it is run.";
  rule.dialect = "postgres";
  rule.bad = "SELECT o.order_id, o.totl FROM orders AS o";
  rule.good = "SELECT o.order_id, o.total FROM orders AS o";
  rule.fix = "rewrite-unknown-column";
  rule.fix_title = "Write the name of a column that is there";
  rule.fix_safety = Safety::Review;
  rule.needs = Needs::Schema;
  rule.on_names = [](const Site& /*site*/, const Names& names, Report& report) {
    ReportAll(names, NameProblemKind::UnknownColumn, report);
  };
  return rule;
}

}  // namespace schemaward::review
