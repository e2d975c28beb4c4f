// Order by a random number.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule order_by_random() {
  Rule rule;
  rule.id = "order-by-random";
  rule.title = "Order by a random number";
  rule.message = "every row is numbered and sorted to pick some";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Performance;
  rule.why = "The cost grows with the table; a sample or a random key does not.";
  rule.dialect = "postgres";
  rule.bad = "SELECT id FROM t ORDER BY random() LIMIT 1";
  rule.good = "SELECT id FROM t ORDER BY id LIMIT 1";
  rule.fix = "rewrite-order-by-random";
  rule.fix_title = "Sample by TABLESAMPLE or by a random key that is indexed";
  rule.on_expression = [](const Site& site, const Expression& node, Report& report) {
    if (site.clause == Clause::OrderBy && IsCallOf(&node, {"random", "rand"}))
      report.At(node.begin, node.end);
  };
  return rule;
}

}  // namespace schemaward::review
