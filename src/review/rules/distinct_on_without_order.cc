// DISTINCT ON without ORDER BY.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule distinct_on_without_order() {
  Rule rule;
  rule.id = "distinct-on-without-order";
  rule.title = "DISTINCT ON without ORDER BY";
  rule.message = "which row of each group comes is not defined";
  rule.severity = Severity::High;
  rule.level = Level::Warn;
  rule.category = Category::Correctness;
  rule.why = "ORDER BY with the same columns first says which one.";
  rule.dialect = "postgres";
  rule.bad = "SELECT DISTINCT ON (a) a, id FROM t";
  rule.good = "SELECT DISTINCT ON (a) a, id FROM t ORDER BY a, id";
  rule.fix = "rewrite-distinct-on-without-order";
  rule.fix_title = "Order by the DISTINCT ON columns first, then by what picks the row";
  rule.only = {"postgres", "duckdb"};
  rule.on_query = [](const Site& /*site*/, const query::Query& node, Report& report) {
    if (!node.terms.empty() && !node.terms.front().core.distinct_on.empty() &&
        node.order_by.empty())
      report.At(node.terms.front().core.begin, node.terms.front().core.head_end);
  };
  return rule;
}

}  // namespace schemaward::review
