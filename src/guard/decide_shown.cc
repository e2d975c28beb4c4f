// What may be shown of a statement where names are hidden.
#include <algorithm>

#include "guard/decision.h"
#include "privacy/mention.h"

namespace schemaward::guard {

std::size_t PositionOf(const catalog::Table& table, const catalog::Column& column) {
  return static_cast<std::size_t>(&column - table.columns.data());
}

template <typename Is>
bool Decision::AnyColumn(Is is) const {
  const auto any_of = [&](const catalog::Table& table) {
    return std::any_of(table.columns.begin(), table.columns.end(),
                       [&](const catalog::Column& column) { return is(table, column); });
  };
  return std::any_of(analysis.tables.begin(), analysis.tables.end(),
                     [&](const TableUse& use) { return any_of(*use.table); }) ||
         std::any_of(analysis.view_reads.begin(), analysis.view_reads.end(),
                     [&](const ViewRead& read) { return any_of(*read.table); });
}

bool Decision::ReadsHidden() const {
  return policy_.hide_names() && AnyColumn([&](const auto& table, const auto& column) {
           return policy_.RuleOf(table, column).IsBlocked();
         });
}

bool Decision::TellsNames(std::string_view printed) const {
  return order.has_hints || AnyColumn([&](const auto& table, const auto& column) {
           return IsUnnamed(table, column) && privacy::Mentions(printed, column.name);
         });
}

std::vector<TableRead> Decision::Reads(bool hides) const {
  std::map<std::pair<std::string, std::string>, std::set<std::string>> reads;
  for (const TableUse& use : analysis.tables) reads[{use.table->schema, use.table->name}];
  for (const Use& use : analysis.uses)
    reads[{use.table->schema, use.table->name}].insert(
        hides && IsUnnamed(*use.table, *use.column)
            ? privacy::HiddenName(PositionOf(*use.table, *use.column))
            : use.column->name);
  std::vector<TableRead> result;
  for (const auto& [name, columns] : reads)
    result.push_back({name.first, name.second, {columns.begin(), columns.end()}});
  return result;
}

bool Decision::IsUnnamed(const catalog::Table& table, const catalog::Column& column) const {
  return policy_.RuleOf(table, column).IsBlocked() && !privacy::Mentions(text_, column.name);
}

}  // namespace schemaward::guard
