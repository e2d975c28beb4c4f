#include "privacy/policy.h"

#include "privacy/floor.h"

namespace schemaward::privacy {
namespace {

// True when `column` refers to a column that holds no floor value itself.
bool RefersToPlainColumn(const catalog::Table& table, std::string_view column) {
  for (const catalog::ForeignKey& key : table.foreign_keys)
    for (std::size_t i = 0; i < key.columns.size() && i < key.target_columns.size(); ++i)
      if (key.columns[i] == column && !FloorCategoryOf(key.target_table, key.target_columns[i]))
        return true;
  return false;
}

}  // namespace

std::optional<Category> Policy::FloorOf(const catalog::Table& table,
                                        const catalog::Column& column) const {
  const std::optional<FloorMatch> match = FloorCategoryOf(table.name, column.name);
  if (!match || RefersToPlainColumn(table, column.name)) return std::nullopt;
  return match->category;
}

bool Policy::KnowsLineage(const catalog::Table& table) const {
  return table.kind != catalog::TableKind::View &&
         table.kind != catalog::TableKind::MaterializedView;
}

bool Policy::MayReadValues(const catalog::Table& table, const catalog::Column& column) const {
  return KnowsLineage(table) && !FloorOf(table, column);
}

}  // namespace schemaward::privacy
