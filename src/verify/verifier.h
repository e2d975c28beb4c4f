#pragma once

// A model recomputes the number of an insight, grounded on statements that ran, within rounds.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/template_text.h"
#include "explore/warehouse.h"
#include "llm/model.h"
#include "verify/validation.h"

namespace schemaward::verify {

struct VerifyOptions {
  std::string dialect;         ///< of the source, as models know it
  TemplateText repair_prompt;  ///< of the engine; empty: nothing is mended
  bool may_look_up = true;     ///< false: one shot from the catalog
};

/// Verifies one insight. What is known first: the SQL that its cited steps ran; then what was
/// looked up; whoever mends a failing query is shown the same. Each of kRoundsMax rounds is a
/// prompt of its own that takes lookup_schema or query_data, nothing else; without a query by then
/// one forced round follows, not counted, and without one there the verdict is `error` and
/// budget_exhausted. Without cited steps that ran, the nearest tables are named. A number that
/// meets the claim confirms it [explore/exact.h]; one that does not is looked at a second time, and
/// two queries that agree contradict a claim. A zero is checked like any other number. Errors: what
/// ends a run, of the model [llm::EndsRuns] or the call (Cancelled, DeadlineExceeded); all else is
/// in the verdict. Thread: one at a time.
Result<Validation> Verify(const Insight& insight, const std::vector<SourceStep>& steps,
                          const VerifyOptions& options, explore::Warehouse& warehouse,
                          llm::Llm& model, CallContext& ctx);

/// What came of a file.
struct Verified {
  std::vector<Validation> validations;  ///< of the first insights, in order
  Counters counters;
  llm::Usage usage;
  std::optional<Error> error;  ///< why it ended before the last insight
};

/// Verifies each insight in order and tells `on_done` each verdict.
Verified VerifyAll(const InsightFile& file, const VerifyOptions& options,
                   explore::Warehouse& warehouse, llm::Llm& model,
                   const std::function<void(const Insight&, const Validation&)>& on_done,
                   CallContext& ctx);

}  // namespace schemaward::verify
