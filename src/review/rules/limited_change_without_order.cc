// UPDATE or DELETE with LIMIT and no order.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule limited_change_without_order() {
  Rule rule;
  rule.id = "limited-change-without-order";
  rule.title = "UPDATE or DELETE with LIMIT and no order";
  rule.message = "which rows are changed is not defined";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Correctness;
  rule.why = "Replicas may change others.";
  rule.dialect = "mysql";
  rule.bad = "DELETE FROM t WHERE a = 1 LIMIT 5";
  rule.good = "DELETE FROM t WHERE a = 1 ORDER BY id LIMIT 5";
  rule.fix = "rewrite-limited-change-without-order";
  rule.fix_title = "Add ORDER BY, ending in a unique column";
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if ((node.kind == query::ChangeKind::Delete || node.kind == query::ChangeKind::Update) &&
        node.limit != nullptr && node.order_by.empty())
      report.At(node.limit->begin, node.limit->end);
  };
  return rule;
}

}  // namespace schemaward::review
