// A column that several tables have.
#include "review/names.h"
#include "review/rules/rules.h"
#include "review/schema_parts.h"

namespace schemaward::review {

Rule ambiguous_column() {
  Rule rule;
  rule.id = "ambiguous-column";
  rule.title = "A column that several tables have";
  rule.message = "several tables have the column";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Correctness;
  rule.why = "The statement fails, or starts to fail when a table gets a column of that name.";
  rule.dialect = "postgres";
  rule.bad = "SELECT order_id FROM orders AS o JOIN order_items AS i ON i.order_id = o.order_id";
  rule.good = "SELECT o.order_id FROM orders AS o JOIN order_items AS i ON i.order_id = o.order_id";
  rule.fix = "rewrite-ambiguous-column";
  rule.fix_title = "Write the table in front of the column";
  rule.fix_safety = Safety::Safe;
  rule.needs = Needs::Schema;
  rule.on_names = [](const Site& /*site*/, const Names& names, Report& report) {
    ReportAll(names, NameProblemKind::AmbiguousColumn, report);
  };
  return rule;
}

}  // namespace schemaward::review
