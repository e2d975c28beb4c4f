// A filter on COALESCE of a column.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule coalesce_in_filter() {
  Rule rule;
  rule.id = "coalesce-in-filter";
  rule.title = "A filter on COALESCE of a column";
  rule.message = "COALESCE on the column keeps an index on it from being used";
  rule.severity = Severity::Low;
  rule.level = Level::Warn;
  rule.category = Category::Performance;
  rule.why = "A condition on the column and one on IS NULL say the same and can use an index.";
  rule.dialect = "postgres";
  rule.bad = "SELECT id FROM t WHERE coalesce(a, 0) = 1";
  rule.good = "SELECT id FROM t WHERE a = 1";
  rule.fix = "rewrite-coalesce-in-filter";
  rule.fix_title = "Write the comparison, and OR column IS NULL where the default meets it";
  rule.fix_safety = Safety::Safe;
  rule.on_expression = [](const Site& site, const Expression& node, Report& report) {
    if (site.clause == Clause::Where && IsComparison(node) &&
        IsCallOf(Operand(node, 0), {"coalesce"}) && IsConstant(Operand(node, 1)))
      report.At(node.begin, node.end);
  };
  return rule;
}

}  // namespace schemaward::review
