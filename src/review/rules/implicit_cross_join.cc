// Tables without a condition between them.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule implicit_cross_join() {
  Rule rule;
  rule.id = "implicit-cross-join";
  rule.title = "Tables without a condition between them";
  rule.message = "every row of one table meets every row of the other";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Correctness;
  rule.why = "A condition was probably forgotten; CROSS JOIN says that it was meant.";
  rule.dialect = "postgres";
  rule.bad = "SELECT t.id, u.id AS u_id FROM t, u";
  rule.good = "SELECT t.id, u.id AS u_id FROM t CROSS JOIN u";
  rule.fix = "rewrite-implicit-cross-join";
  rule.fix_title = "Add the condition that joins the tables";
  rule.on_core = [](const Site& /*site*/, const query::Core& node, Report& report) {
    std::size_t plain = 0;
    for (const auto& item : node.from)
      if (item->kind == query::TableKind::Table) ++plain;
    if (plain > 1 && node.where == nullptr)
      report.At(node.from.front()->begin, node.from.back()->end);
  };
  return rule;
}

}  // namespace schemaward::review
