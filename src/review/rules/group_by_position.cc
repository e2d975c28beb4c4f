// Group by a position.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule group_by_position() {
  Rule rule;
  rule.id = "group-by-position";
  rule.title = "Group by a position";
  rule.message = "the number is a position in the select list";
  rule.severity = Severity::Low;
  rule.level = Level::Warn;
  rule.category = Category::Naming;
  rule.why = "It changes its meaning when a column is added; the name does not.";
  rule.dialect = "postgres";
  rule.bad = "SELECT a, count(*) AS n FROM t GROUP BY 1";
  rule.good = "SELECT a, count(*) AS n FROM t GROUP BY a";
  rule.fix = "rewrite-group-by-position";
  rule.fix_title = "Name the columns in GROUP BY";
  rule.fix_safety = Safety::Safe;
  rule.on_core = [](const Site& /*site*/, const query::Core& node, Report& report) {
    for (const auto& key : node.group_by)
      if (IsInteger(key.get())) report.At(key->begin, key->end);
  };
  return rule;
}

}  // namespace schemaward::review
