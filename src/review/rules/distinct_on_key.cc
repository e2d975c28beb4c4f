// DISTINCT of rows that a key makes different.
#include <algorithm>
#include <set>

#include "review/relations.h"
#include "review/rules/rules.h"

namespace schemaward::review {

Rule distinct_on_key() {
  Rule rule;
  rule.id = "distinct-on-key";
  rule.title = "DISTINCT of rows that a key makes different";
  rule.message = "the rows hold a whole key, so they are different already";
  rule.severity = Severity::Low;
  rule.level = Level::Warn;
  rule.category = Category::Performance;
  rule.why = "The engine sorts or hashes all rows for nothing.";
  rule.dialect = "postgres";
  rule.bad = "SELECT DISTINCT o.order_id, o.total FROM orders AS o";
  rule.good = "SELECT DISTINCT o.customer_id FROM orders AS o";
  rule.fix = "rewrite-distinct-on-key";
  rule.fix_title = "Remove DISTINCT";
  rule.fix_safety = Safety::Safe;
  rule.needs = Needs::Schema;
  rule.on_core = [](const Site& site, const query::Core& node, Report& report) {
    const auto& uses = site.names->UsesOf(node);
    if (!node.is_distinct || uses.size() != 1 || !site.names->IsComplete(node)) return;
    const auto& key = uses.front()->table->primary_key;
    if (!key || key->columns.empty()) return;
    std::set<std::string_view> given;
    for (const query::Output& output : node.outputs) {
      const BoundColumn* bound = site.names->Of(output.expression.get());
      if (bound != nullptr && !bound->column->nullable) given.insert(bound->column->name);
    }
    const bool is_whole =
        std::all_of(key->columns.begin(), key->columns.end(),
                    [&](const std::string& column) { return given.contains(column); });
    if (is_whole) report.At(node.begin, node.head_end);
  };
  return rule;
}

}  // namespace schemaward::review
