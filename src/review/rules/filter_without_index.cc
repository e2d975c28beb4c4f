// A filter that no index serves.
#include <fmt/format.h>

#include "review/relations.h"
#include "review/rules/rules.h"

namespace schemaward::review {
namespace {

// The column of a filter by a constant that an index could serve; null where it is none.
const Expression* FilterColumn(const Expression& filter) {
  if (const auto comparison = ComparisonOf(filter))
    return OperatorOf(filter) != "<>" && IsConstant(comparison->other) ? comparison->column
                                                                       : nullptr;
  const bool is_range = IsForm(filter, "between") && !Says(filter, "NOT");
  const bool is_list =
      IsForm(filter, "in_list") && !Says(filter, "NOT") && IsConstant(Operand(filter, 1));
  return (is_range || is_list) && IsColumn(Operand(filter, 0)) ? Operand(filter, 0) : nullptr;
}

}  // namespace

Rule filter_without_index() {
  Rule rule;
  rule.id = "filter-without-index";
  rule.title = "A filter that no index serves";
  rule.message = "no index begins with a column of the filter";
  rule.severity = Severity::Low;
  rule.level = Level::Warn;
  rule.category = Category::Performance;
  rule.why = "The engine reads the whole table to find a few rows.";
  rule.dialect = "postgres";
  rule.bad = "SELECT o.order_id FROM orders AS o WHERE o.status = 'open'";
  rule.good = "SELECT o.order_id FROM orders AS o WHERE o.customer_id = 7";
  rule.fix = "rewrite-filter-without-index";
  rule.fix_title =
      "Index the column that the filter narrows most, or filter by one that is indexed";
  rule.fix_safety = Safety::Safe;
  rule.needs = Needs::Schema;
  rule.on_core = [](const Site& site, const query::Core& node, Report& report) {
    const auto& uses = site.names->UsesOf(node);
    if (uses.size() != 1 || !site.names->IsComplete(node) || !node.where) return;
    const catalog::Table& table = *uses.front()->table;
    if (!HasIndexFacts(table) || IsSmall(table)) return;
    const Expression* first = nullptr;
    std::string_view name;
    for (const Expression* filter : Conjuncts(*node.where)) {
      const Expression* column = FilterColumn(*filter);
      const BoundColumn* bound = column == nullptr ? nullptr : site.names->Of(column);
      if (bound == nullptr || bound->use != uses.front()) continue;
      if (LeadsAnIndex(table, bound->column->name)) return;
      if (first == nullptr) first = filter, name = bound->column->name;
    }
    if (first != nullptr)
      report.At(first->begin, first->end,
                fmt::format("no index of \"{}\" begins with \"{}\"", table.name, name));
  };
  return rule;
}

}  // namespace schemaward::review
