// NOT IN over a column that may be NULL.
#include <fmt/format.h>

#include "review/relations.h"
#include "review/rules/rules.h"

namespace schemaward::review {

Rule not_in_nullable() {
  Rule rule;
  rule.id = "not-in-nullable";
  rule.title = "NOT IN over a column that may be NULL";
  rule.message = "the column may be NULL, and one NULL makes NOT IN give no rows";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Nullability;
  rule.why = "The schema lets the column be NULL: NOT EXISTS gives the rows that are meant.";
  rule.dialect = "postgres";
  rule.bad =
      "SELECT c.name FROM customers AS c WHERE c.customer_id NOT IN (SELECT o.referrer_id FROM "
      "orders AS o)";
  rule.good =
      "SELECT c.name FROM customers AS c WHERE c.customer_id NOT IN (SELECT o.customer_id FROM "
      "orders AS o)";
  rule.fix = "rewrite-not-in-nullable";
  rule.fix_title = "Write NOT EXISTS, or leave the NULLs out in the inner query";
  rule.fix_safety = Safety::Review;
  rule.needs = Needs::Schema;
  rule.on_expression = [](const Site& site, const Expression& node, Report& report) {
    if (!IsForm(node, "in_list") || !Says(node, "NOT IN")) return;
    for (const query::Part& part : node.parts) {
      if (!part.query || LeavesNullsOut(*part.query, *site.names)) continue;
      const auto output = site.names->OutputOf(*part.query);
      if (!output || output->column == nullptr || !output->may_be_null) continue;
      report.At(node.begin, node.end,
                fmt::format("column \"{}\" may be NULL, and one NULL makes NOT IN give no rows",
                            output->column->name));
    }
  };
  return rule;
}

}  // namespace schemaward::review
