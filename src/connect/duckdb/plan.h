#pragma once

// EXPLAIN (FORMAT JSON) as an estimate.

#include <string_view>

#include "base/result.h"
#include "connect/connector.h"

namespace schemaward::connect::duckdb {

/// Returns the rows that the engine expects to come out (negative where it does not say) and the
/// plan, one line a node. DuckDB estimates no cost. Errors: Internal when it cannot be read.
Result<PlanEstimate> ReadPlan(std::string_view json);

}  // namespace schemaward::connect::duckdb
