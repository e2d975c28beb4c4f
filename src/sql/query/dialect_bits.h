#pragma once

// Inside sql/query: sets of dialects, for the tables of operators and types; MySQL's character sets
// that a text may be told in.

#include <array>
#include <string_view>

namespace schemaward::sql::query {

inline constexpr unsigned kPg = 1, kLite = 2, kMy = 4, kDuck = 8, kEvery = 15;

inline constexpr auto kCharacterSets =
    std::to_array<std::string_view>({"UTF8MB4", "UTF8MB3", "UTF8", "LATIN1", "ASCII", "BINARY"});

}  // namespace schemaward::sql::query
