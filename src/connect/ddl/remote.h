#pragma once

// Where the columns of foreign tables stand at their servers, by the options of tables and columns.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connect/ddl/parse.h"
#include "connect/ddl/state.h"

namespace schemaward::connect::ddl {

/// Applies OPTIONS (...), of CREATE or ALTER, to `value`: what the option `wanted` says.
void ApplyOption(std::size_t count, Node* const* options, std::string_view wanted,
                 std::optional<std::string>& value);

/// The same for both options that name a table: table_name, table.
void ApplyTableOption(std::size_t count, Node* const* options, Relation& relation);

/// Gives each column of a foreign table its place, and the columns above it that are read with it:
/// of the partitioned table, of the tables it inherits from. Adds what was cut to `missing`.
void AddRemotes(SchemaState& state, std::vector<catalog::Missing>& missing);

}  // namespace schemaward::connect::ddl
