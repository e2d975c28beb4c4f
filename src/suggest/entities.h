#pragma once

// Which tables are entities, which are only bridges, and what they are called.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "semantic/definitions.h"
#include "suggest/links.h"
#include "suggest/names.h"

namespace schemaward::suggest {

inline constexpr std::size_t kEntitiesMax = 5'000;  ///< drafted for one source

/// What one table is. `name` is empty where it is no entity.
struct Role {
  std::string name;      ///< of the entity, drafted or kept
  bool is_kept = false;  ///< a definition that is no draft of ours covers the table
  std::vector<std::string> identity;
  std::string evidence;  ///< what the identity was inferred from
  bool identity_is_declared = false;
  std::vector<std::size_t> bridge;  ///< two positions in the links: a bridge and no entity
};

struct Cast {
  std::vector<Role> roles;           ///< one per table
  std::int64_t tables_left_out = 0;  ///< past kEntitiesMax
};

/// Gives each table its role. A table is an entity when a primary or unique key, or a column that
/// is named for it, tells its rows apart; but not where its key is made of two references and
/// nothing else of it says anything. `kept`: definitions whose names and tables are taken. Thread:
/// any.
Cast CastTables(const std::vector<catalog::Table>& tables, const std::vector<Link>& links,
                const semantic::Definitions& kept, ColumnNames& names);

/// Returns the words as a definition's name: ASCII letters, digits and `_`, not too long.
std::string ToName(const std::vector<std::string>& words);

/// Returns `name`, or with a number after it where `taken` has it, and takes it.
std::string TakeName(std::string name, std::set<std::string>& taken);

/// True for columns that only say when or by whom a row was written.
bool IsBookkeeping(std::string_view column);

}  // namespace schemaward::suggest
