#pragma once

// Actions carried out: the order of checks, what is charged, and what the model is told.

#include <string>
#include <vector>

#include "explore/state.h"
#include "explore/warehouse.h"

namespace schemaward::explore {

/// Carries out one action. The step is added to nothing; budgets, seen tables and counters of
/// `state` are. Only what ends the call itself (Cancelled, DeadlineExceeded) is an error; every
/// other failure is in the step and told to the model.
///
/// lookup_schema, in this order: budget off or used up (not charged); no name (not charged); names
/// made canonical, those that were shown before left out; nothing new and nothing that is not there
/// (not charged, no failure); at most kLookupTablesMax, the others named; one call charged,
/// whatever comes of it. search_tables: budget off or used up, no words (not charged); one call
/// charged. `complete` before limits.steps_min is refused and is a step. Thread: one at a time.
Result<Step> CarryOut(State& state, const Action& action, Warehouse& warehouse, CallContext& ctx);

/// Returns tables as a model is told them: columns and, where wanted, sample rows. Each gets an
/// even share of the room, so that a wide one hides no other. Thread: any; pure.
std::string RenderTables(const std::vector<TableView>& tables, bool with_samples);

/// Returns what an error tells a model: what was wrong, what to do, and names that are there.
/// Thread: any; pure.
std::string TellError(const Error& error);

}  // namespace schemaward::explore
