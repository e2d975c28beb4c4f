#pragma once

// What PostgreSQL would put together in memory of rows and texts that a statement makes itself:
// its aggregates that keep every value have no bound of their own.

#include "sql/query/tree.h"

namespace schemaward::guard {

inline constexpr double kGatheredMax = 256e6;  ///< bytes of one value

/// Returns the most bytes that one gather of the statement (array_agg, string_agg, ARRAY(SELECT
/// ...) and their like) makes out of series, lengths and constants. A row of a table counts as one,
/// whatever it holds. Precondition: the query's names are those that Analyze wrote. Thread: any.
double GatheredBytes(const sql::query::Query& query);

}  // namespace schemaward::guard
