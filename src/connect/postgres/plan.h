#pragma once

// Reads EXPLAIN (FORMAT JSON).

#include <string_view>

#include "base/result.h"
#include "connect/connector.h"

namespace schemaward::connect::postgres {

/// Returns the top node's total cost and rows, and one line a node: "Seq Scan on orders (cost 12.5,
/// rows 500)", children indented. Errors: Internal where the text has no such plan; a cost that
/// cannot be read is never taken for a small one. Thread: any.
Result<PlanEstimate> ReadPlan(std::string_view json);

}  // namespace schemaward::connect::postgres
