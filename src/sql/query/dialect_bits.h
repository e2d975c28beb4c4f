#pragma once

// Inside sql/query: sets of dialects, for the tables of operators and types.

namespace schemaward::sql::query {

inline constexpr unsigned kPg = 1, kLite = 2, kMy = 4, kDuck = 8, kEvery = 15;

}  // namespace schemaward::sql::query
