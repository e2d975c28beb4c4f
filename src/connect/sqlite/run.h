#pragma once

// Runs an approved statement in a session and collects its rows.

#include "base/result.h"
#include "connect/connector.h"
#include "connect/sqlite/session.h"

namespace schemaward::connect::sqlite_engine {

/// Returns the rows within `limits` (its time is the session's). Errors: as Session::Step.
Result<QueryResult> Run(Session& session, const guard::Approved& approved,
                        const QueryLimits& limits);

/// Returns SQLite's plan without running the statement. Errors: as Session::Step.
Result<PlanEstimate> ExplainPlan(Session& session, const guard::Approved& approved);

}  // namespace schemaward::connect::sqlite_engine
