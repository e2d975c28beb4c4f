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

namespace schemaward::app {

/// What is asked for.
struct RunSpec {
  std::string question;
  explore::Limits limits;
  explore::Driver driver = explore::Driver::Model;
  std::string model;                       ///< as MakeModel takes it; empty: the setting llm.model
  std::optional<llm::NanoUsd> cost_max{};  ///< needs a price
  std::int64_t window_tokens = 0;          ///< 0: as configured
  std::string pack, category;              ///< as FindPack takes it; empty: none
  bool verifies = true;                    ///< insights of the analysis are verified
};

/// Returns the record of a new run over `source`, which is kept nowhere yet. Errors:
/// InvalidArgument for limits out of their range, a question that is empty or too
/// long, a category without a pack, or a pack for an agent's run; as FindPack and CheckCategory.
Result<explore::RunRecord> NewRun(const Config& config, const RunSpec& spec,
                                  const store::Source& source, const CallContext& ctx);

/// Returns the model that drives `run`; what was spent before counts towards its limit of money.
/// Errors: as MakeModel.
Result<MeteredModel> ModelOf(const Config& config, const explore::RunRecord& run);

}  // namespace schemaward::app
