// SELECT *.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule select_star() {
  Rule rule;
  rule.id = "select-star";
  rule.title = "SELECT *";
  rule.message = "all columns are read, those added later too";
  rule.severity = Severity::Low;
  rule.level = Level::Warn;
  rule.category = Category::Performance;
  rule.why = "Naming them reads less and breaks loudly when one goes.";
  rule.dialect = "postgres";
  rule.bad = "SELECT * FROM t";
  rule.good = "SELECT id FROM t";
  rule.fix = "rewrite-select-star";
  rule.fix_title = "List the columns that are used";
  rule.fix_safety = Safety::Safe;
  rule.on_core = [](const Site& site, const query::Core& node, Report& report) {
    if (site.is_in_exists || site.is_in_derived) return;
    for (const query::Output& output : node.outputs)
      if (output.expression && output.expression->kind == ExpressionKind::Star &&
          output.begin != output.end)
        report.At(output.begin, output.end);
  };
  return rule;
}

}  // namespace schemaward::review
