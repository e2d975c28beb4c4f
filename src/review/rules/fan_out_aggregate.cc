// A sum over rows that a join repeats.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "review/relations.h"
#include "review/rules/rules.h"

namespace schemaward::review {
namespace {

bool HasKey(const catalog::Table& table) {
  return (table.kind == catalog::TableKind::Table ||
          table.kind == catalog::TableKind::PartitionedTable) &&
         (table.primary_key || !table.unique_keys.empty());
}

// The only table whose columns the expression reads; null where there are none or several.
const TableUse* OnlyUse(const Names& names, const Expression& expression, bool& is_one) {
  const TableUse* only = nullptr;
  if (IsColumn(&expression)) {
    const BoundColumn* bound = names.Of(&expression);
    is_one = is_one && bound != nullptr && bound->use != nullptr;
    return bound == nullptr ? nullptr : bound->use;
  }
  for (const query::Part& part : expression.parts) {
    if (part.query) is_one = false;
    if (!part.expression) continue;
    const TableUse* use = OnlyUse(names, *part.expression, is_one);
    if (use == nullptr) continue;
    is_one = is_one && (only == nullptr || only == use);
    only = use;
  }
  return only;
}

// A table of which several rows may meet one of `from`; null where there is none.
const TableUse* Multiplies(const TableUse& from, const std::vector<const TableUse*>& uses,
                           const Conditions& conditions) {
  std::set<const TableUse*> reached{&from};
  for (bool grows = true; grows;) {
    grows = false;
    for (const TableUse* use : uses)
      if (!reached.contains(use) && IsToOne(*use, reached, conditions))
        grows = reached.insert(use).second;
  }
  for (const TableUse* use : uses)
    if (!reached.contains(use)) return use;
  return nullptr;
}

}  // namespace

Rule fan_out_aggregate() {
  Rule rule;
  rule.id = "fan-out-aggregate";
  rule.title = "A sum over rows that a join repeats";
  rule.message = "each row counts once for every row that it is joined with";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Correctness;
  rule.why =
      "The keys say that one row of the summed table meets several of another, so the sum is too "
      "large.";
  rule.dialect = "postgres";
  rule.bad =
      "SELECT sum(o.total) AS total FROM orders AS o JOIN order_items AS i ON i.order_id = "
      "o.order_id";
  rule.good =
      "SELECT sum(i.quantity) AS quantity FROM orders AS o JOIN order_items AS i ON i.order_id = "
      "o.order_id";
  rule.fix = "rewrite-fan-out-aggregate";
  rule.fix_title = "Aggregate each table in a query of its own, then join the results";
  rule.fix_safety = Safety::Review;
  rule.needs = Needs::Schema;
  rule.on_expression = [](const Site& site, const Expression& node, Report& report) {
    if (site.core == nullptr || node.has_window || !IsCallOf(&node, {"sum", "avg"})) return;
    if (node.parts.empty() || node.parts.front().text == "(DISTINCT ") return;
    const auto& uses = site.names->UsesOf(*site.core);
    if (uses.size() < 2 || !site.names->IsComplete(*site.core)) return;
    bool is_one = true;
    const TableUse* from = OnlyUse(*site.names, node, is_one);
    const bool all_keyed = std::all_of(uses.begin(), uses.end(),
                                       [](const TableUse* use) { return HasKey(*use->table); });
    if (from == nullptr || !is_one || !all_keyed) return;
    if (std::find(uses.begin(), uses.end(), from) == uses.end()) return;
    const TableUse* other = Multiplies(*from, uses, ReadConditions(*site.core, *site.names));
    if (other == nullptr) return;
    report.At(node.begin, node.end,
              fmt::format("a row of \"{}\" counts once for each row of \"{}\" that it meets",
                          from->table->name, other->table->name));
  };
  return rule;
}

}  // namespace schemaward::review
