#include "explore/explorer.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/cut.h"
#include "explore/actions.h"
#include "explore/repair.h"
#include "explore/run_record.h"
#include "llm/tokens.h"

namespace schemaward::explore {
namespace {

/// One run. Thread: owner.
class Run {
 public:
  Run(const RunRequest& request, Warehouse& warehouse, llm::Llm& model, const OnStep& on_step,
      CallContext& ctx)
      : request_(request),
        warehouse_(warehouse, model, request.repair_prompt),
        model_(model),
        on_step_(on_step),
        ctx_(ctx) {}

  RunResult Go() {
    result_.state.limits = request_.limits;
    const Status done = Steps();
    if (!done) {
      result_.status = StatusOf(done.error());
      result_.error = done.error();
    }
    return std::move(result_);
  }

 private:
  Status Steps() {
    WARD_TRY(const auto catalog, warehouse_.Catalog(ctx_));
    WARD_TRY(base_, MakePromptBase(request_.question, request_.dialect, catalog, request_.limits,
                                   model_.info(), request_.frame));
    result_.catalog = base_.catalog;
    if (request_.on_base) WARD_CHECK(request_.on_base(base_));
    WARD_CHECK(warehouse_.Prepare(ctx_));
    WARD_CHECK(Replay());
    State& state = result_.state;
    if (HasEnded()) return Ok();
    while (static_cast<std::int64_t>(state.steps.size()) < request_.limits.steps_max) {
      WARD_CHECK(ctx_.Check());
      llm::Usage usage;
      int replies = 0;
      WARD_TRY(const Action action, NextAction(usage, replies));
      WARD_TRY(Step step, CarryOut(state, action, warehouse_, ctx_));
      step.usage = usage;
      step.replies = replies;
      if (step.kind == StepKind::Query) TakeRepairs(step);
      Measure(step);
      state.steps.push_back(std::move(step));
      if (on_step_) WARD_CHECK(on_step_(state.steps.back()));
      if (HasEnded()) return Ok();
    }
    result_.status = RunStatus::OutOfSteps;
    return Ok();
  }

  // What was rewritten belongs to the step, whatever came of it.
  void TakeRepairs(Step& step) {
    step.repairs = warehouse_.attempts();
    for (const RepairAttempt& repair : step.repairs) {
      step.usage += repair.usage;
      result_.usage += repair.usage;
    }
    CountRepairs(step, result_.state.counters);
    if (step.repairs.empty() || step.error.empty()) return;
    step.observation +=
        fmt::format("\nIt was rewritten {} times; this is about the last one: {}",
                    step.repairs.size(), CutText(step.repairs.back().before, kObservationBytesMax));
  }

  // True where the last step ended the run.
  bool HasEnded() {
    const auto& steps = result_.state.steps;
    if (steps.empty() || steps.back().kind != StepKind::Complete) return false;
    result_.summary = steps.back().action.summary;
    result_.status = RunStatus::Completed;
    return true;
  }

  Status Replay() {
    State& state = result_.state;
    for (const Step& old : request_.before) {
      WARD_CHECK(ctx_.Check());
      Step step = old;
      if (old.kind == StepKind::Lookup || old.kind == StepKind::Search) {
        WARD_TRY(step, CarryOut(state, old.action, warehouse_, ctx_));
        step.usage = old.usage;
        step.replies = old.replies;
      } else if (old.kind == StepKind::Query) {
        ++state.counters.queries;
        ++(old.error.empty() ? state.counters.queries_successful : state.counters.queries_failed);
        CountRepairs(old, state.counters);
      } else if (old.kind == StepKind::CompleteRejected) {
        ++state.counters.completes_rejected;
      }
      state.counters.unparsable_replies += old.replies - 1;
      Measure(step);
      state.steps.push_back(std::move(step));
    }
    return Ok();
  }

  Result<Action> NextAction(llm::Usage& usage, int& replies) {
    const auto allowed = AllowedActions(request_.limits);
    std::vector<FailedReply> failed;
    while (true) {
      WARD_TRY(const llm::Request prompt, MakeRequest(base_, result_.state, failed, model_.info()));
      result_.largest_prompt_tokens =
          std::max(result_.largest_prompt_tokens, llm::EstimateTokens(prompt));
      WARD_TRY(const llm::Reply reply, model_.Complete(prompt, {}, ctx_));
      ++replies;
      usage += reply.usage;
      result_.usage += reply.usage;
      // What is switched off is understood too: it is then a step that fails, and ends nothing.
      ParsedAction parsed = ParseAction(reply.text, AllowedActions({}));
      if (parsed.action) return *std::move(parsed.action);
      const std::int64_t lost = ++result_.state.counters.unparsable_replies;
      if (replies >= kParseTriesMax || lost >= kUnparsableMax)
        return Error(ErrorKind::InputUnreadable,
                     fmt::format("the model's replies ask for nothing: {} in this step, {} in the "
                                 "run",
                                 replies, lost))
            .Detail(parsed.why);
      failed.push_back({reply.text, Nudge(parsed, allowed)});
    }
  }

  const RunRequest& request_;
  RepairingWarehouse warehouse_;
  llm::Llm& model_;
  const OnStep& on_step_;
  CallContext& ctx_;
  PromptBase base_;
  RunResult result_;
};

}  // namespace

std::string_view NameOf(RunStatus status) {
  switch (status) {
    case RunStatus::Completed:
      return "completed";
    case RunStatus::OutOfSteps:
      return "out_of_steps";
    case RunStatus::Partial:
      return "partial";
    case RunStatus::Cancelled:
      return "cancelled";
    case RunStatus::Failed:
      return "failed";
  }
  return {};
}

RunStatus StatusOf(const Error& error) {
  switch (error.kind()) {
    case ErrorKind::MoneyCap:
    case ErrorKind::DeadlineExceeded:
      return RunStatus::Partial;
    case ErrorKind::Cancelled:
      return RunStatus::Cancelled;
    default:
      return RunStatus::Failed;
  }
}

RunResult Explore(const RunRequest& request, Warehouse& warehouse, llm::Llm& model,
                  const OnStep& on_step, CallContext& ctx) {
  return Run(request, warehouse, model, on_step, ctx).Go();
}

}  // namespace schemaward::explore
