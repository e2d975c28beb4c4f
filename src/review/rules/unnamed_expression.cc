// A column without a name.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule unnamed_expression() {
  Rule rule;
  rule.id = "unnamed-expression";
  rule.title = "A column without a name";
  rule.message = "the engine makes up the column's name";
  rule.severity = Severity::Low;
  rule.level = Level::Off;
  rule.category = Category::Naming;
  rule.why = "Engines name it differently.";
  rule.dialect = "postgres";
  rule.bad = "SELECT a + 1 FROM t";
  rule.good = "SELECT a + 1 AS b FROM t";
  rule.fix = "rewrite-unnamed-expression";
  rule.fix_title = "Give the expression an alias";
  rule.fix_safety = Safety::Safe;
  rule.on_core = [](const Site& /*site*/, const query::Core& node, Report& report) {
    for (const query::Output& one : node.outputs)
      if (one.alias.text.empty() && one.expression &&
          one.expression->kind != ExpressionKind::Column &&
          one.expression->kind != ExpressionKind::Star)
        report.At(one.begin, one.end);
  };
  return rule;
}

}  // namespace schemaward::review
