// LIMIT without ORDER BY.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule limit_without_order() {
  Rule rule;
  rule.id = "limit-without-order";
  rule.title = "LIMIT without ORDER BY";
  rule.message = "which rows come is not defined";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Correctness;
  rule.why = "The engine may give other rows each time.";
  rule.dialect = "postgres";
  rule.bad = "SELECT id FROM t LIMIT 5";
  rule.good = "SELECT id FROM t ORDER BY id LIMIT 5";
  rule.fix = "rewrite-limit-without-order";
  rule.fix_title = "Add ORDER BY, ending in a unique column";
  rule.on_query = [](const Site& site, const query::Query& node, Report& report) {
    if (node.limit == nullptr || !node.order_by.empty() || node.orders_all || site.is_in_exists ||
        node.terms.size() != 1 || node.terms.front().nested)
      return;
    const query::Core& core = node.terms.front().core;
    const bool is_one_row = core.group_by.empty() && !core.outputs.empty() &&
                            HasAggregate(site, *core.outputs.front().expression);
    if (!is_one_row && !core.from.empty()) report.At(node.limit->begin, node.limit->end);
  };
  return rule;
}

}  // namespace schemaward::review
