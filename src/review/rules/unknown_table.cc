// A table that is not in the index.
#include "review/names.h"
#include "review/rules/rules.h"
#include "review/schema_parts.h"

namespace schemaward::review {

Rule unknown_table() {
  Rule rule;
  rule.id = "unknown-table";
  rule.title = "A table that is not in the index";
  rule.message = "no table of that name is in the index";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Correctness;
  rule.why = "The statement fails, or means another table than was thought.";
  rule.dialect = "postgres";
  rule.bad = "SELECT o.order_id FROM ordrs AS o";
  rule.good = "SELECT o.order_id FROM orders AS o";
  rule.fix = "rewrite-unknown-table";
  rule.fix_title = "Write the name of a table that is there";
  rule.fix_safety = Safety::Review;
  rule.needs = Needs::Schema;
  rule.on_names = [](const Site& /*site*/, const Names& names, Report& report) {
    ReportAll(names, NameProblemKind::UnknownTable, report);
  };
  return rule;
}

}  // namespace schemaward::review
