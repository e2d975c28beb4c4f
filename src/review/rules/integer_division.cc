// Division of whole numbers.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule integer_division() {
  Rule rule;
  rule.id = "integer-division";
  rule.title = "Division of whole numbers";
  rule.message = "both sides are whole numbers, so the fraction is cut off";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Correctness;
  rule.why = "A share of two counts is 0 or 1; a cast, or a factor of 1.0, keeps the fraction.";
  rule.dialect = "postgres";
  rule.bad = "SELECT count(a) / count(*) AS share FROM t";
  rule.good = "SELECT count(a) * 1.0 / count(*) AS share FROM t";
  rule.fix = "rewrite-integer-division";
  rule.fix_title = "Cast one side to numeric";
  rule.only = {"postgres", "sqlite"};
  rule.on_expression = [](const Site& /*site*/, const Expression& node, Report& report) {
    const auto is_whole = [](const Expression* e) {
      return IsInteger(e) || IsCallOf(e, {"count"});
    };
    if (OperatorOf(node) == "/" && is_whole(Operand(node, 0)) && is_whole(Operand(node, 1)) &&
        !(IsInteger(Operand(node, 0)) && IsInteger(Operand(node, 1))))
      report.At(node.begin, node.end);
  };
  return rule;
}

}  // namespace schemaward::review
