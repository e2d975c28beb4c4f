// A function that few engines have.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule engine_specific_default() {
  Rule rule;
  rule.id = "engine-specific-default";
  rule.title = "A function that few engines have";
  rule.message = "COALESCE does the same in every engine";
  rule.severity = Severity::Low;
  rule.level = Level::Warn;
  rule.category = Category::Portability;
  rule.why = "IFNULL, NVL and ISNULL differ between engines; COALESCE is standard.";
  rule.dialect = "sqlite";
  rule.bad = "SELECT ifnull(a, 0) AS x FROM t";
  rule.good = "SELECT coalesce(a, 0) AS x FROM t";
  rule.fix = "rewrite-engine-specific-default";
  rule.fix_title = "Use the standard's function";
  rule.fix_safety = Safety::Safe;
  rule.on_expression = [](const Site& /*site*/, const Expression& node, Report& report) {
    if (IsCallOf(&node, {"ifnull", "nvl", "isnull"}) && Arguments(node).size() == 2)
      report.At(node.begin, node.end);
  };
  return rule;
}

}  // namespace schemaward::review
