// Order by a position.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule order_by_position() {
  Rule rule;
  rule.id = "order-by-position";
  rule.title = "Order by a position";
  rule.message = "the number is a position in the select list";
  rule.severity = Severity::Low;
  rule.level = Level::Warn;
  rule.category = Category::Naming;
  rule.why = "It changes its meaning when a column is added; the name does not.";
  rule.dialect = "postgres";
  rule.bad = "SELECT id, a FROM t ORDER BY 2";
  rule.good = "SELECT id, a FROM t ORDER BY a";
  rule.fix = "rewrite-order-by-position";
  rule.fix_title = "Name the columns in ORDER BY";
  rule.fix_safety = Safety::Safe;
  rule.on_expression = [](const Site& site, const Expression& node, Report& report) {
    if (site.query == nullptr || site.clause != Clause::OrderBy || !IsInteger(&node)) return;
    for (const query::OrderItem& item : site.query->order_by)
      if (item.expression.get() == &node) report.At(node.begin, node.end);
  };
  return rule;
}

}  // namespace schemaward::review
