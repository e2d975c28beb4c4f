// A ranking window without an order.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule window_without_order() {
  Rule rule;
  rule.id = "window-without-order";
  rule.title = "A ranking window without an order";
  rule.message = "the numbers are given in any order: the window has no ORDER BY";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Correctness;
  rule.why = "Without an order the rank of a row is arbitrary and differs from run to run.";
  rule.dialect = "postgres";
  rule.bad = "SELECT id, row_number() OVER (PARTITION BY a) AS n FROM t";
  rule.good = "SELECT id, row_number() OVER (PARTITION BY a ORDER BY id) AS n FROM t";
  rule.fix = "rewrite-window-without-order";
  rule.fix_title = "Add ORDER BY to the window";
  rule.on_expression = [](const Site& /*site*/, const Expression& node, Report& report) {
    if (!node.has_window ||
        !IsOneOf(CallName(node), {"row_number", "rank", "dense_rank", "lag", "lead", "ntile",
                                  "first_value", "last_value"}))
      return;
    const query::Part& last = node.parts.back();
    if (!last.expression || !IsForm(*last.expression, "window")) return;  // a window by its name
    const bool has_base =
        !last.expression->parts.empty() && last.expression->parts.front().text != "(";
    if (!has_base && !Says(*last.expression, " ORDER BY ")) report.At(node.begin, node.end);
  };
  return rule;
}

}  // namespace schemaward::review
