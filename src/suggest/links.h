#pragma once

// How tables refer to one another, whatever says so: a declared key, names, or queries.

#include <cstdint>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "semantic/definitions.h"
#include "suggest/foreign_keys.h"

namespace schemaward::suggest {

/// Rows of `table` refer to rows of `target`. Tables are positions in the list that was given.
struct Link {
  std::size_t table = 0;
  std::vector<std::string> columns;
  std::size_t target = 0;
  std::vector<std::string> target_columns;
  semantic::Method method = semantic::Method::Inferred;
  std::int64_t observations = 0;  ///< statements that joined so
  bool target_is_unique = false;  ///< at most one row of the target, by a declared key
  std::vector<std::string> evidence;
};

/// Columns that queries set equal: table.columns[i] = target.target_columns[i]. Which side refers
/// to which is not known.
struct ObservedJoin {
  std::string table, target;  ///< qualified names
  std::vector<std::string> columns, target_columns;
  std::int64_t observations = 0;
  bool operator==(const ObservedJoin&) const = default;
};

/// Returns declared keys, then what is inferred, then what only queries show; those that queries
/// show too count the statements. Sorted by table, then columns, then target. Declared keys into
/// tables that are not in the list are left out. Thread: any.
std::vector<Link> FindLinks(const std::vector<catalog::Table>& tables, const InferOptions& options,
                            const std::vector<ObservedJoin>& observed);

/// True when a primary or unique key of `table` lies within `columns`. Thread: any.
bool IsUnique(const catalog::Table& table, const std::vector<std::string>& columns);

}  // namespace schemaward::suggest
