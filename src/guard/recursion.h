#pragma once

// Whether a recursion comes to an end.

#include <cstdint>

#include "sql/dialect.h"
#include "sql/query/tree.h"

namespace schemaward::guard {

inline constexpr std::int64_t kRecursionMax = 1'000'000;  ///< steps of a recursion

/// True when `step`, a term of `around` that reads `common` itself, moves one of its columns by a
/// constant towards a bound that its WHERE names, at most about kRecursionMax times: `i + 1` up to
/// a number, `i - 1` down to one, `day + INTERVAL 1 DAY` up to a day. Where the start is a column
/// of a table, or the bound the least or the greatest of one, the way is as long as the data says.
/// `beside_tables`: it may read others too.
bool CountsToAnEnd(const sql::query::CommonTable& common, const sql::query::Query& around,
                   const sql::query::Core& step, const sql::Dialect& dialect, bool beside_tables);

/// True when `step` goes from row to row of a table beside it: a condition that every row must meet
/// compares its own column with what is not its own. How long the way is, the data says.
bool WalksATable(const sql::query::CommonTable& common, const sql::query::Query& around,
                 const sql::query::Core& step);

}  // namespace schemaward::guard
