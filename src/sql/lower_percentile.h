#pragma once

// Percentiles for dialects that have none as aggregates.

#include "base/result.h"
#include "sql/statement.h"

namespace schemaward::sql {

/// True where an output column, a HAVING or an ORDER BY of `select` itself holds a percentile.
bool HoldsPercentile(const Select& select);

/// Returns `select` over a derived table in which each row has its place among its group's values:
/// the percentile is then the sum of the one or two values beside its place, each by its share.
/// Parts of a union, WITH and LIMIT stay as they are. Errors: Internal where a percentile stands in
/// a percentile. Requires: HoldsPercentile(select). Thread: any.
Result<Select> LowerPercentiles(const Select& select);

}  // namespace schemaward::sql
