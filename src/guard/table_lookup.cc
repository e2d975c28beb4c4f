#include "guard/table_lookup.h"

#include <algorithm>

#include "guard/names.h"

namespace schemaward::guard {

Result<std::vector<const catalog::Table*>> TableList::Find(const std::optional<std::string>& schema,
                                                           std::string_view name) {
  std::vector<const catalog::Table*> found;
  for (const catalog::Table& table : tables_)
    if (FoldsTo(table.name, name) && (!schema || FoldsTo(table.schema, *schema)))
      found.push_back(&table);
  return found;
}

std::vector<std::string> TableList::Near(std::string_view name) {
  std::vector<std::string> names;
  for (const catalog::Table& table : tables_) names.push_back(table.name);
  return NearestOf(name, names);
}

}  // namespace schemaward::guard
