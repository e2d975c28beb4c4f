#pragma once

// Small catalogs for the tests of this folder. For tests only.

#include <string>
#include <utility>
#include <vector>

#include "catalog/catalog.h"

namespace schemaward::suggest {

/// A column as {name, type}.
using ColumnDef = std::pair<std::string, std::string>;

/// A table of schema "public" with these columns and this primary key (none where empty).
inline catalog::Table MakeTable(const std::string& name, const std::vector<ColumnDef>& columns,
                                const std::vector<std::string>& primary_key = {}) {
  catalog::Table table;
  table.schema = "public";
  table.name = name;
  for (const auto& [column, type] : columns) {
    catalog::Column& made = table.columns.emplace_back();
    made.name = column;
    made.type = type;
  }
  if (!primary_key.empty()) table.primary_key = catalog::Key{name + "_pkey", primary_key};
  return table;
}

}  // namespace schemaward::suggest
