#pragma once

// The loop of an exploration: ask the model, carry out its action, tell it what came of it.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/template_text.h"
#include "explore/prompt.h"
#include "explore/state.h"
#include "explore/warehouse.h"
#include "llm/model.h"

namespace schemaward::explore {

/// completed: the model ended it. out_of_steps: every step was used. partial: a cap of money or
/// time ended it. The steps of each are kept.
enum class RunStatus : std::uint8_t { Completed, OutOfSteps, Partial, Cancelled, Failed };
std::string_view NameOf(RunStatus status);
/// How a run stands that `error` ended.
RunStatus StatusOf(const Error& error);

struct RunRequest {
  std::string question;
  std::string dialect;  ///< of the source, as models know it: "PostgreSQL"
  Limits limits;
  TemplateText repair_prompt{};  ///< of the engine; empty: failing statements are not mended
  PromptFrame frame{};           ///< of a domain pack
  /// Steps of an earlier part of the run, in order. Lookups and searches are carried out anew,
  /// which restores budgets and what was shown; queries are told again and not run.
  std::vector<Step> before{};
  /// Told what every prompt begins with, before the first; an error ends the run.
  std::function<Status(const PromptBase& base)> on_base{};
};

struct RunResult {
  RunStatus status = RunStatus::Failed;
  State state;
  std::string summary;         ///< of a completed run
  std::optional<Error> error;  ///< why a run is partial, cancelled or failed
  CatalogText catalog;
  llm::Usage usage;
  std::int64_t largest_prompt_tokens = 0;  ///< estimated
};

/// Told each step as soon as it is done; an error ends the run, which then has failed.
using OnStep = std::function<Status(const Step& step)>;

/// Runs an exploration to its end. What was done is in the result, whatever ended it. A model whose
/// replies ask for nothing kParseTriesMax times in one step, or kUnparsableMax times in the run,
/// fails it. Thread: any, one run at a time for each `model` and `warehouse` that asks so.
RunResult Explore(const RunRequest& request, Warehouse& warehouse, llm::Llm& model,
                  const OnStep& on_step, CallContext& ctx);

}  // namespace schemaward::explore
