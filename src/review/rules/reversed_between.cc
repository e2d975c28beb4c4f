// BETWEEN with its bounds reversed.
#include <string>

#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule reversed_between() {
  Rule rule;
  rule.id = "reversed-between";
  rule.title = "BETWEEN with its bounds reversed";
  rule.message = "the lower bound is larger than the upper, so nothing is between";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Correctness;
  rule.why = "BETWEEN takes the lower bound first; reversed it is never true.";
  rule.dialect = "postgres";
  rule.bad = "SELECT id FROM t WHERE a BETWEEN 9 AND 1";
  rule.good = "SELECT id FROM t WHERE a BETWEEN 1 AND 9";
  rule.fix = "rewrite-reversed-between";
  rule.fix_title = "Swap the bounds";
  rule.on_expression = [](const Site& /*site*/, const Expression& node, Report& report) {
    constexpr std::size_t kDigitsMax = 18;
    if (!IsForm(node, "between") || Says(node, "SYMMETRIC")) return;
    const Expression* low = Operand(node, 1);
    const Expression* high = Operand(node, 2);
    if (!IsInteger(low) || !IsInteger(high) || low->text.size() > kDigitsMax ||
        high->text.size() > kDigitsMax)
      return;
    if (std::stoll(low->text) > std::stoll(high->text)) report.At(node.begin, node.end);
  };
  return rule;
}

}  // namespace schemaward::review
