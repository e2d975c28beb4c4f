// DISTINCT with GROUP BY.
#include <algorithm>

#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule distinct_and_group() {
  Rule rule;
  rule.id = "distinct-and-group";
  rule.title = "DISTINCT with GROUP BY";
  rule.message = "the groups are distinct already";
  rule.severity = Severity::Low;
  rule.level = Level::Warn;
  rule.category = Category::Performance;
  rule.why = "A second pass looks for duplicates that cannot be there when the keys are selected.";
  rule.dialect = "postgres";
  rule.bad = "SELECT DISTINCT a FROM t GROUP BY a";
  rule.good = "SELECT a FROM t GROUP BY a";
  rule.fix = "rewrite-distinct-and-group";
  rule.fix_title = "Remove DISTINCT: the groups are distinct already";
  rule.fix_safety = Safety::Safe;
  rule.on_core = [](const Site& /*site*/, const query::Core& node, Report& report) {
    if (!node.is_distinct || node.group_by.empty() || !node.distinct_on.empty()) return;
    for (const auto& key : node.group_by)
      if (std::none_of(node.outputs.begin(), node.outputs.end(), [&](const query::Output& one) {
            return SameValue(one.expression.get(), key.get());
          }))
        return;
    report.At(node.begin, node.head_end);
  };
  return rule;
}

}  // namespace schemaward::review
