// A column compared with itself.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule column_compared_with_itself() {
  Rule rule;
  rule.id = "column-compared-with-itself";
  rule.title = "A column compared with itself";
  rule.message = "both sides of the comparison are the same column";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Correctness;
  rule.why =
      "It is true for every value that is not NULL; a second table's column was probably meant.";
  rule.dialect = "postgres";
  rule.bad = "SELECT id FROM t WHERE a = a";
  rule.good = "SELECT id FROM t WHERE a = b";
  rule.fix = "rewrite-column-compared-with-itself";
  rule.fix_title = "Name the other column that is meant";
  rule.on_expression = [](const Site& /*site*/, const Expression& node, Report& report) {
    if (IsComparison(node) && IsColumn(Operand(node, 0)) &&
        SameValue(Operand(node, 0), Operand(node, 1)))
      report.At(node.begin, node.end);
  };
  return rule;
}

}  // namespace schemaward::review
