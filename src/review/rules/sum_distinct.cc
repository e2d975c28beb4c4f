// SUM or AVG over distinct values.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule sum_distinct() {
  Rule rule;
  rule.id = "sum-distinct";
  rule.title = "SUM or AVG over distinct values";
  rule.message = "equal amounts are counted once";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Correctness;
  rule.why =
      "Two rows with the same amount are both real; DISTINCT usually hides a join that multiplies "
      "rows.";
  rule.dialect = "postgres";
  rule.bad = "SELECT sum(DISTINCT price) AS s FROM t";
  rule.good = "SELECT sum(price) AS s FROM t";
  rule.fix = "rewrite-sum-distinct";
  rule.fix_title = "Aggregate before the join that repeats rows";
  rule.on_expression = [](const Site& /*site*/, const Expression& node, Report& report) {
    if (IsOneOf(CallName(node), {"sum", "avg"}) && !node.parts.empty() &&
        node.parts.front().text == "(DISTINCT ")
      report.At(node.begin, node.end);
  };
  return rule;
}

}  // namespace schemaward::review
