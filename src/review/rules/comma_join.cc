// Tables joined by a comma.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule comma_join() {
  Rule rule;
  rule.id = "comma-join";
  rule.title = "Tables joined by a comma";
  rule.message = "the join's condition stands in WHERE among the filters";
  rule.severity = Severity::Low;
  rule.level = Level::Warn;
  rule.category = Category::Correctness;
  rule.why =
      "A condition that is forgotten there multiplies rows without an error; JOIN ... ON asks for "
      "it.";
  rule.dialect = "postgres";
  rule.bad = "SELECT t.id FROM t, u WHERE t.id = u.t_id";
  rule.good = "SELECT t.id FROM t JOIN u ON t.id = u.t_id";
  rule.fix = "rewrite-comma-join";
  rule.fix_title = "Write JOIN with ON";
  rule.fix_safety = Safety::Safe;
  rule.on_core = [](const Site& /*site*/, const query::Core& node, Report& report) {
    std::size_t plain = 0;
    for (const auto& item : node.from)
      if (item->kind == query::TableKind::Table) ++plain;
    if (plain > 1 && node.where != nullptr)
      report.At(node.from.front()->begin, node.from.back()->end);
  };
  return rule;
}

}  // namespace schemaward::review
