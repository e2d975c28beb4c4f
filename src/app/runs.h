#pragma once

// Runs of explorations: made out of what is asked for, and the models that drive them.

#include <cstdint>
#include <optional>
#include <string>

#include "app/config.h"
#include "app/models.h"
#include "base/call_context.h"
#include "explore/run_record.h"
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

/// Returns the model that drives `run`; what was spent before counts towards its limit of money.
/// Errors: as MakeModel.
Result<MeteredModel> ModelOf(const Config& config, const explore::RunRecord& run);

}  // namespace schemaward::app
