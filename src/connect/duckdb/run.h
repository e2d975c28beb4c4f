#pragma once

// Runs statements in a session and collects their rows.

#include <functional>
#include <string_view>

#include "base/result.h"
#include "connect/connector.h"
#include "connect/duckdb/session.h"

namespace schemaward::connect::duckdb {

/// Returns the rows within `limits` (its time is the session's). Values of types that have no cell
/// of their own come as the engine's text. Errors: as Session.
Result<QueryResult> Run(Session& session, const guard::Approved& approved,
                        const QueryLimits& limits);

/// Returns the plan without running the statement. Errors: as Session.
Result<PlanEstimate> ExplainPlan(Session& session, const guard::Approved& approved);

/// Calls `row` with each row of a statement of ours. Errors: as Session.
Status ForEachRow(Session& session, std::string_view sql,
                  const std::function<void(const std::vector<Cell>&)>& row);

}  // namespace schemaward::connect::duckdb
