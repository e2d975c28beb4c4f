#pragma once

// Foreign keys that nobody declared, inferred from names and types alone. docs/suggest.md has the
// rules, their reasons and how well they do.

#include <cstdint>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "suggest/names.h"

namespace schemaward::suggest {

/// Which rule found a key.
enum class Rule : std::uint8_t {
  SameName,   ///< the column is named as the target's key
  TableName,  ///< the column is named for the target table: customer_id -> customer.id
  BareName,   ///< the column has the table's name and no more: team -> team.team_id
  Hierarchy,  ///< manager_id, parent_id: the same table, or the one of people
  Composite   ///< all columns of a composite key
};

/// A key that nobody declared. Tables are positions in the list that was given.
struct InferredKey {
  std::size_t table = 0;
  std::vector<std::string> columns;
  std::size_t target = 0;
  std::vector<std::string> target_columns;
  Rule rule = Rule::SameName;
  bool target_is_unique = false;  ///< a primary or unique key is declared there
  std::string evidence;           ///< one line
};

/// How strictly types must agree.
struct InferOptions {
  bool types_are_loose = false;  ///< SQLite: a text and a number compare, so only a name that fits
                                 ///< exactly is asked for then
};

/// Bounds that keep the work linear in the number of columns.
inline constexpr std::size_t kKeysPerTableMax = 8;     ///< keys of a table that others may refer to
inline constexpr std::size_t kOffersMax = 32;          ///< tables that one name may stand for
inline constexpr std::size_t kCompositeTablesMax = 8;  ///< targets tried for one column

/// Returns what is inferred, sorted by table, then columns, by position. Views take no part, a
/// column that has a declared key neither, and nothing crosses schemas. Thread: any.
std::vector<InferredKey> InferForeignKeys(const std::vector<catalog::Table>& tables,
                                          const InferOptions& options, ColumnNames& names);

}  // namespace schemaward::suggest
