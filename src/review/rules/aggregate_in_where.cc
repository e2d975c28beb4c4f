// An aggregate in WHERE.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule aggregate_in_where() {
  Rule rule;
  rule.id = "aggregate-in-where";
  rule.title = "An aggregate in WHERE";
  rule.message = "WHERE is asked before rows are grouped";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Correctness;
  rule.why = "Engines refuse it; HAVING asks groups.";
  rule.dialect = "postgres";
  rule.bad = "SELECT a FROM t WHERE count(*) > 1 GROUP BY a";
  rule.good = "SELECT a FROM t GROUP BY a HAVING count(*) > 1";
  rule.fix = "rewrite-aggregate-in-where";
  rule.fix_title = "Move the condition on the aggregate to HAVING";
  rule.fix_safety = Safety::Safe;
  rule.on_core = [](const Site& site, const query::Core& node, Report& report) {
    if (node.where != nullptr && !node.from.empty() && HasAggregate(site, *node.where) &&
        site.statement.read)
      report.At(node.where->begin, node.where->end);
  };
  return rule;
}

}  // namespace schemaward::review
