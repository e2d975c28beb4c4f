#include "explore/recorded_run.h"

#include <utility>

#include <fmt/format.h>

#include "explore/actions.h"
#include "explore/claims.h"

namespace schemaward::explore {
namespace {

constexpr int kTriesMax = 20;  // of an agent's step beside others of the same run

// A run whose own driver was told to stop keeps what there is and can be taken up again; one that
// was cancelled in the store cannot.
RunStatus EndOf(const RunResult& result, const CallContext& ctx) {
  const bool is_stopped = result.status == RunStatus::Cancelled && ctx.stop.stop_requested();
  return is_stopped ? RunStatus::Partial : result.status;
}

void CountSpent(const DriveOptions& options, RunRecord& run) {
  if (options.spent) run.spent = options.spent();
  if (options.embedder_spent) run.embedder = options.embedder_spent();
}

void Settle(RunRecord& run, const RunResult& result, const DriveOptions& options) {
  run.status = NameOf(result.status);
  run.summary = result.summary;
  run.counters = result.state.counters;
  CountSpent(options, run);
  if (!options.spent) run.spent.usage += result.usage;
  run.error_kind = result.error ? result.error->row().kind : "";
  run.error_text = result.error ? result.error->message() : "";
}

// Verifies the claims that the model ended the run with and keeps each with its verdict.
Status CheckClaims(RunStore& store, RunRecord& run, const std::vector<Step>& steps,
                   Warehouse& warehouse, const SaveRun& save, CallContext& ctx) {
  if (steps.empty() || steps.back().action.claims.empty()) return Ok();
  WARD_TRY(const std::vector<Claim> claims, ReadClaims(steps.back().action.claims));
  while (run.claims_checked < static_cast<std::int64_t>(claims.size())) {
    const Claim& claim = claims[static_cast<std::size_t>(run.claims_checked)];
    WARD_TRY(const VerifiedClaim verified, Verify(claim, steps, warehouse, ctx));
    WARD_TRY(const bool is_kept, store.AddEndingClaim(run, ToJson(verified)));
    WARD_CHECK(save(run));
    if (!is_kept) return Ok();  // as many as a run keeps
  }
  return Ok();
}

// What follows the steps; what ends the run is in `result`.
void GoOn(RunStore& store, RunRecord& run, RunResult& result, Warehouse& warehouse, llm::Llm& model,
          const DriveOptions& options, CallContext& ctx) {
  const bool is_whole =
      result.status == RunStatus::Completed || result.status == RunStatus::OutOfSteps;
  if (!is_whole) return;
  const SaveRun save = [&](RunRecord& record) -> Status {
    CountSpent(options, record);
    WARD_TRY(const bool kept, store.Save(record));
    WARD_TRY(const auto now, store.Find(record.id));
    if (kept && now && now->status != "cancelled") return Ok();
    return Error(ErrorKind::Cancelled, "the run was cancelled or taken over");
  };
  run.summary = result.summary;
  Status done = CheckClaims(store, run, result.state.steps, warehouse, save, ctx);
  if (done && options.after)
    done = options.after(run, result.state.steps, warehouse, model, save, ctx);
  if (done) return;
  result.status = StatusOf(done.error());
  result.error = done.error();
}

}  // namespace

Result<RecordedRun> Drive(RunStore& store, RunRecord run, Warehouse& warehouse, llm::Llm& model,
                          const DriveOptions& options, CallContext& ctx) {
  RunRequest request;
  request.question = run.question;
  request.dialect = run.dialect;
  request.limits = run.limits;
  request.repair_prompt = options.repair_prompt;
  request.frame = options.frame;
  WARD_TRY(request.before, store.Steps(run.id));
  request.on_base = [&](const PromptBase& base) -> Status {
    run.system = base.system;
    run.start = base.start;
    WARD_TRY(const bool kept, store.Save(run));
    return kept ? Ok() : Status(Error(ErrorKind::Cancelled, "the run was taken over"));
  };
  const auto keep = [&](const Step& step) -> Status {
    CountSpent(options, run);
    WARD_TRY(const bool kept, store.Append(run, step));
    if (!kept) return Error(ErrorKind::Cancelled, "the run was cancelled or taken over");
    return options.on_step ? options.on_step(step) : Ok();
  };
  RecordedRun ended;
  ended.result = Explore(request, warehouse, model, keep, ctx);
  GoOn(store, run, ended.result, warehouse, model, options, ctx);
  ended.result.status = EndOf(ended.result, ctx);
  Settle(run, ended.result, options);
  WARD_TRY(const bool kept, store.Save(run));
  if (!kept) {
    WARD_TRY(auto now, store.Find(run.id));
    if (now) run = *std::move(now);
  }
  ended.record = std::move(run);
  return ended;
}

Result<Step> AgentStep(RunStore& store, const std::string& run_id, const std::string& principal,
                       const Action& action, Warehouse& warehouse,
                       const std::function<llm::Spent()>& embedder_spent, CallContext& ctx) {
  for (int tries = 0; tries < kTriesMax; ++tries) {
    WARD_CHECK(ctx.Check());
    WARD_TRY(auto run, store.Find(run_id));
    if (!run || run->principal != principal) return NoSuchRun(run_id);
    if (run->driver != Driver::Agent || run->status != "running")
      return Error(ErrorKind::InvalidArgument,
                   fmt::format("run {} takes no calls: it is {}", run->id,
                               run->driver == Driver::Agent ? run->status : "a model's"));
    if (run->steps >= run->limits.steps_max)
      return Error(ErrorKind::RunBudgetSpent,
                   fmt::format("the {} steps of the run are used up", run->limits.steps_max));
    WARD_TRY(auto steps, store.Steps(run_id));
    if (static_cast<std::int64_t>(steps.size()) != run->steps) continue;  // read between two writes
    State state = StateOf(*run, std::move(steps));
    WARD_TRY(Step step, CarryOut(state, action, warehouse, ctx));
    if (embedder_spent) run->embedder += embedder_spent();
    WARD_TRY(const bool kept, store.Append(*run, step));
    if (kept) return step;
  }
  return Error(ErrorKind::StoreLocked, "too many calls of one run at the same time");
}

}  // namespace schemaward::explore
