#pragma once

// Explorations as the tools see them, and what those tools share.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "explore/run_store.h"
#include "explore/warehouse.h"
#include "tools/services.h"
#include "tools/untrusted_text.h"

namespace schemaward::tools {

constexpr std::size_t kRunIdMax = 100;  ///< bytes of a run's id in an argument

/// What a new run is asked for.
struct RunWish {
  std::string question;
  explore::Limits limits;
  explore::Driver driver = explore::Driver::Agent;
  std::optional<std::string> cost_max_usd{};  ///< of a model's run
  std::string pack{}, category{};             ///< of a model's run; empty: none
  bool verifies = true;                       ///< insights of the pack's areas
};

/// A source that is opened for a call of an agent's run.
struct OpenSource {
  std::unique_ptr<explore::Warehouse> warehouse;
  std::function<llm::Spent()> embedder_spent{};  ///< as explore::AgentStep has it
};

/// Explorations of the served sources. Thread: any.
class Explorations {
 public:
  virtual ~Explorations() = default;
  virtual explore::RunStore& runs() = 0;
  /// True where the configuration names a model that can decide the steps of a run.
  virtual bool HasModel() const = 0;
  /// The source as the caller of `ctx` may explore it. Lifetime: ends before this.
  virtual Result<OpenSource> Open(const store::Source& source, CallContext& ctx) = 0;
  /// Keeps a new run of the caller; one whose steps a model decides begins in the background. Where
  /// the configuration names no model and the caller's client can be asked, its own model decides
  /// them, and the run is over when this returns. Errors: InvalidArgument; PoolFull where too many
  /// run; as the store of runs and as models; what made such a run fail, with get_exploration as
  /// the next call where steps of it are kept.
  virtual Result<explore::RunRecord> Start(const RunWish& wish, const store::Source& source,
                                           CallContext& ctx) = 0;
};

/// A run's figures, as answers show them.
struct RunOut {
  std::string run_id, status, decided_by, source, question;
  std::int64_t steps_used = 0, steps_max = 0;
  std::optional<std::int64_t> lookups_left, searches_left;
  std::int64_t schema_lookup_calls = 0, schema_search_calls = 0, queries = 0, queries_failed = 0;
  std::int64_t input_tokens = 0, output_tokens = 0, embedder_tokens = 0;
  std::string cost_usd;
  std::optional<std::string> cost_max_usd;
  std::string started_at, summary, ended_by;
  void Bind(json::Fields& f);
};
RunOut ShowRun(const explore::RunRecord& run);

/// Returns the caller's run of that id. Errors: UnknownRun with get_exploration as the next
/// call and the nearest of the caller's runs, EngineUnavailable where there are no explorations
/// here; as the store of runs.
Result<explore::RunRecord> FindRun(const Services& services, const std::string& run_id,
                                   const CallContext& ctx);

/// Returns {"run_id": ...}.
std::string RunArguments(const std::string& run_id);

/// What one step of an agent's run came to.
struct StepOut {
  std::int64_t step = 0;
  std::string told;
  std::vector<std::string> tables;
  RunOut run;
  std::vector<FlaggedText> instruction_like;
  void Bind(json::Fields& f);
};

/// Carries out one action of an agent in its run. Errors: as FindRun; RunBudgetSpent with
/// get_exploration where a budget is used up; InvalidArgument where a model decides the steps of
/// the run, or the action failed.
Result<StepOut> TakeStep(const Services& services, const std::string& run_id,
                         const explore::Action& action, CallContext& ctx);

}  // namespace schemaward::tools
