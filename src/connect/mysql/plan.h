#pragma once

// Reads EXPLAIN FORMAT=JSON of MySQL and MariaDB.

#include <string_view>

#include "base/result.h"
#include "connect/connector.h"

namespace schemaward::connect::mysql {

/// Returns the engine's estimate: rows that the outermost joins make, and the cost: MySQL's own
/// query_cost, else, since MariaDB prints none, the number of rows that the plan reads, each join
/// as often as the rows before it say. The text has one line a table: "full scan of orders (rows
/// 500)", indented by its nesting. Errors: Internal where no plan can be read; a cost that cannot
/// be read is never taken for a small one. Thread: any.
Result<PlanEstimate> ReadPlan(std::string_view json);

}  // namespace schemaward::connect::mysql
