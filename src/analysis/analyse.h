#pragma once

// The analysis of a run: insights out of its steps, area by area, and their verdicts.

#include <functional>
#include <optional>
#include <string>

#include "explore/recorded_run.h"
#include "llm/embedder.h"
#include "packs/pack.h"
#include "verify/verifier.h"

namespace schemaward::analysis {

inline constexpr std::size_t kInsightsOfAreaMax = 20;

struct Options {
  const packs::Pack* pack = nullptr;              ///< not null
  std::string profile{};                          ///< what the project says of itself; may be empty
  llm::Embedder* embedder = nullptr;              ///< null: steps are ranked by keywords
  const verify::VerifyOptions* verify = nullptr;  ///< null: insights get no verdict
  /// Told each area and each insight once it is kept; may be empty.
  std::function<void(const explore::AreaResult&)> on_area{};
  std::function<void(const explore::RunInsight&)> on_insight{};
};

/// Reads the steps of `run` for each area of the pack and the run's category, by priority, then
/// verifies each insight, then asks what to do about those that hold [Recommend]. What is in
/// run.analysis already is not asked for again, unless steps were added since. A reply that cannot
/// be read fails its area alone; citations of steps that the model was not shown are dropped, which
/// the area says. No prompt is larger than the model's window. Errors: what ends a run, of the
/// model [llm::EndsRuns], the call or `save`. Lifetime: what the options name outlives it. Thread:
/// one at a time.
Status Analyse(explore::RunRecord& run, const std::vector<explore::Step>& steps,
               const Options& options, explore::Warehouse& warehouse, llm::Llm& model,
               const explore::SaveRun& save, CallContext& ctx);

}  // namespace schemaward::analysis
