#pragma once

// Runs that are kept as they go, and taken up again.

#include <functional>
#include <memory>
#include <string>

#include "explore/explorer.h"
#include "explore/run_store.h"

namespace schemaward::explore {

/// What an end of a run leaves: the record as kept, and the result in memory.
struct RecordedRun {
  RunRecord record;
  RunResult result;
};

/// Keeps the run as it stands now. Errors: those of the store; Cancelled where the run was
/// cancelled or taken over meanwhile.
using SaveRun = std::function<Status(RunRecord& run)>;

/// Goes on with a run whose steps are over: `run` is what is kept. An error ends the run as one of
/// its model would. A run that broke off here comes here again.
using AfterSteps =
    std::function<Status(RunRecord& run, const std::vector<Step>& steps, Warehouse& warehouse,
                         llm::Llm& model, const SaveRun& save, CallContext& ctx)>;

/// What a run is driven with, beside its model and warehouse.
struct DriveOptions {
  TemplateText repair_prompt{};                  ///< as RunRequest has it
  std::function<llm::Spent()> spent{};           ///< what the model has used so far; may be empty
  std::function<llm::Spent()> embedder_spent{};  ///< and the embedder; may be empty
  OnStep on_step{};                              ///< told each step once it is kept; may be empty
  PromptFrame frame{};                           ///< as RunRequest has it
  /// What follows the last step of a run that is completed or out of steps; may be empty.
  AfterSteps after{};
};

/// Runs `run`, which is in the store as `running` and owned by this process, to its end; each step
/// is kept before the next one is asked for. Steps that are kept already are told again: lookups
/// and searches read the index anew, which restores budgets and what was shown; queries are never
/// run again. A run that is cancelled or taken over meanwhile ends; one that is stopped by `ctx` is
/// partial. Errors: those of the store alone; every other end is in the result.
Result<RecordedRun> Drive(RunStore& store, RunRecord run, Warehouse& warehouse, llm::Llm& model,
                          const DriveOptions& options, CallContext& ctx);

/// Carries out one action that an agent asks for in a run of its own, within the budgets of the
/// run. Calls at the same time take turns: each is charged once. `embedder_spent`: what searches of
/// `warehouse` have used of an embedder, which the run is charged with too; may be empty. Errors:
/// UnknownRun where there is no such run of `principal`; InvalidArgument where it is a model's, or
/// it is over; RunBudgetSpent where its steps are used up.
Result<Step> AgentStep(RunStore& store, const std::string& run_id, const std::string& principal,
                       const Action& action, Warehouse& warehouse,
                       const std::function<llm::Spent()>& embedder_spent, CallContext& ctx);

}  // namespace schemaward::explore
