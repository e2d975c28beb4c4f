#pragma once

// For the tests of guard/: tables out of names, and a statement judged over them.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "guard/guard.h"

namespace schemaward::guard {

/// A table with columns of no type.
inline catalog::Table MakeTable(std::string name, std::vector<std::string> columns,
                                std::string_view schema = "main") {
  catalog::Table table;
  table.schema = schema;
  table.name = std::move(name);
  for (std::string& column : columns) table.columns.emplace_back().name = std::move(column);
  return table;
}

/// Judges a statement over `tables`, by the built-in policy unless told.
inline Result<Approved> ApproveOver(std::string_view text, const sql::Dialect& dialect,
                                    const std::vector<catalog::Table>& tables,
                                    const privacy::Policy& policy = privacy::Policy()) {
  TableList lookup(tables);
  return Guard(policy).ApproveText({text, {}}, dialect, lookup, Principal(), nullptr);
}

}  // namespace schemaward::guard
