#pragma once

// Where no key is declared: the column that stands in for one.

#include <cstddef>
#include <optional>
#include <vector>

#include "catalog/catalog.h"
#include "suggest/names.h"

namespace schemaward::suggest {

/// Returns the column that is named for the table, or a first one that is called like an
/// identifier; whether its values are unique is not known. `columns`: one per column. Thread: any.
std::optional<std::size_t> GuessIdentity(const std::vector<std::string>& table_words,
                                         const std::vector<const ColumnWords*>& columns);

/// The same for a table that was not read yet.
std::optional<std::size_t> GuessIdentity(const catalog::Table& table, ColumnNames& names);

}  // namespace schemaward::suggest
