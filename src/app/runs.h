#pragma once

// Runs of explorations: made out of what is asked for, and the models that drive them.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/application.h"
#include "app/config.h"
#include "app/models.h"
#include "base/call_context.h"
#include "explore/run_record.h"
#include "retrieve/meaning.h"
#include "store/store.h"
#include "tools/explorations.h"

namespace schemaward::app {

/// Who decides the steps of a run, beside what the run is asked for.
struct RunModel {
  std::string name;                ///< as MakeModel takes it; empty: the setting llm.model
  std::int64_t window_tokens = 0;  ///< 0: as configured
};

/// Returns the record of a new run over `source`, which is kept nowhere yet. Errors:
/// InvalidArgument for limits out of their range, money that is none, a question that is empty or
/// too long, a category without a pack, or a pack for an agent's run; as FindPack and
/// CheckCategory.
Result<explore::RunRecord> NewRun(const Config& config, const tools::RunWish& wish,
                                  const store::Source& source, const CallContext& ctx,
                                  const RunModel& model = {});

/// Returns the model that drives `run`, and the embedder of its searches where one is configured.
/// Both spend from the run's limit of money; what was spent before counts towards it. An embedder
/// that cannot be asked is left out: it costs nothing. Errors: as MakeModel and MeterOf.
Result<MeteredModel> ModelOf(const Application& application, const explore::RunRecord& run);

/// Returns the embedder of ModelOf alone, within `limits`; null where there is none. Errors: as
/// MeterOf.
Result<std::shared_ptr<llm::MeteredEmbedder>> EmbedderOf(const Application& application,
                                                         const ModelLimits& limits);

/// Returns what makes a run's searches hybrid, by the embedder of its model; null where it has
/// none.
std::shared_ptr<retrieve::Meaning> MeaningOf(const MeteredModel& model);

}  // namespace schemaward::app
