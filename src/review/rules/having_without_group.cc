// HAVING without GROUP BY.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule having_without_group() {
  Rule rule;
  rule.id = "having-without-group";
  rule.title = "HAVING without GROUP BY";
  rule.message = "the condition filters no group and no aggregate";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Correctness;
  rule.why = "WHERE is where a condition on rows belongs.";
  rule.dialect = "mysql";
  rule.bad = "SELECT id FROM t HAVING a > 1";
  rule.good = "SELECT id FROM t WHERE a > 1";
  rule.fix = "rewrite-having-without-group";
  rule.fix_title = "Use WHERE for rows, or add GROUP BY";
  rule.on_core = [](const Site& site, const query::Core& node, Report& report) {
    if (node.having != nullptr && node.group_by.empty() && !node.groups_all &&
        !HasAggregate(site, *node.having))
      report.At(node.having->begin, node.having->end);
  };
  return rule;
}

}  // namespace schemaward::review
