// ORDER BY in a derived table.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule order_in_derived_table() {
  Rule rule;
  rule.id = "order-in-derived-table";
  rule.title = "ORDER BY in a derived table";
  rule.message = "the order of a derived table is not kept";
  rule.severity = Severity::Low;
  rule.level = Level::Warn;
  rule.category = Category::Performance;
  rule.why = "The sort is wasted, or its effect is an accident.";
  rule.dialect = "postgres";
  rule.bad = "SELECT id FROM (SELECT id FROM t ORDER BY id) AS x";
  rule.good = "SELECT id FROM (SELECT id FROM t) AS x ORDER BY id";
  rule.fix = "rewrite-order-in-derived-table";
  rule.fix_title = "Move ORDER BY to the outermost query";
  rule.fix_safety = Safety::Safe;
  rule.on_query = [](const Site& site, const query::Query& node, Report& report) {
    if (site.is_in_derived && !node.order_by.empty() && node.limit == nullptr &&
        node.offset == nullptr && !node.terms.empty() &&
        node.terms.front().core.distinct_on.empty())
      report.At(node.order_by.front().expression->begin, node.order_by.back().expression->end);
  };
  return rule;
}

}  // namespace schemaward::review
