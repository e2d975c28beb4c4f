#pragma once

// What to do about the insights of a run: one more prompt, of the domain pack.

#include "analysis/analyse.h"

namespace schemaward::analysis {

/// Asks what to do about the insights whose numbers hold (all of them where the run does not
/// verify), as many as fit the model's window, and keeps the answer in run.analysis. A proposal
/// rests on insights that were shown, by id; other ids are dropped, and with the last of them the
/// proposal. A reply that cannot be read, twice, is kept as a failure and ends nothing. Nothing is
/// asked where there is no such insight. Errors: what ends a run, of the model [llm::EndsRuns] or
/// the call. Thread: one at a time.
Status Recommend(explore::RunRecord& run, const Options& options, llm::Llm& model,
                 CallContext& ctx);

}  // namespace schemaward::analysis
