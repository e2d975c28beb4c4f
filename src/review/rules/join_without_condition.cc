// JOIN without ON.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule join_without_condition() {
  Rule rule;
  rule.id = "join-without-condition";
  rule.title = "JOIN without ON";
  rule.message = "the join has no condition, so every row meets every row";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Correctness;
  rule.why = "CROSS JOIN says that it was meant.";
  rule.dialect = "sqlite";
  rule.bad = "SELECT t.id FROM t JOIN u";
  rule.good = "SELECT t.id FROM t JOIN u ON t.id = u.t_id";
  rule.fix = "rewrite-join-without-condition";
  rule.fix_title = "Add ON, or write CROSS JOIN where every pair is meant";
  rule.only = {"sqlite", "mysql"};
  rule.on_table = [](const Site& /*site*/, const query::TableExpression& node, Report& report) {
    if (node.kind == query::TableKind::Join && node.on == nullptr && node.using_columns.empty() &&
        !node.is_natural && node.join == " JOIN ")
      report.At(node.right->begin, node.right->end);
  };
  return rule;
}

}  // namespace schemaward::review
