// CASE without ELSE.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule case_without_else() {
  Rule rule;
  rule.id = "case-without-else";
  rule.title = "CASE without ELSE";
  rule.message = "what no WHEN takes becomes NULL";
  rule.severity = Severity::Low;
  rule.level = Level::Off;
  rule.category = Category::Nullability;
  rule.why = "ELSE says so, and makes the NULL a decision.";
  rule.dialect = "postgres";
  rule.bad = "SELECT CASE WHEN a > 1 THEN 'x' END AS y FROM t";
  rule.good = "SELECT CASE WHEN a > 1 THEN 'x' ELSE 'z' END AS y FROM t";
  rule.fix = "rewrite-case-without-else";
  rule.fix_title = "Say ELSE, with NULL where that is meant";
  rule.fix_safety = Safety::Safe;
  rule.on_expression = [](const Site& /*site*/, const Expression& node, Report& report) {
    if (IsForm(node, "case") && !Says(node, " ELSE ")) report.At(node.begin, node.end);
  };
  return rule;
}

}  // namespace schemaward::review
