// Runs that are kept, that die, and that are taken up again.
#include "explore/recorded_run.h"

#include <csignal>
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/result_matchers.h"
#include "explore/fake_warehouse.h"
#include "explore/report.h"
#include "llm/scripted.h"

namespace schemaward::explore {
namespace {

using llm::ScriptedTurn;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::vector<std::string> replies = {
    R"({"lookup_schema":["sales.orders"]})", R"({"query":"SELECT 42","thinking":"count"})",
    R"({"search_tables":"orders"})", R"({"query":"SELECT 43"})",
    R"({"done":true,"summary":"42 orders"})"};

QueryResult OneNumber(std::int64_t number) {
  QueryResult result;
  result.columns = {{"n"}};
  result.rows = {{number}};
  result.statement = fmt::format("SELECT {} AS n", number);
  return result;
}

class RecordedRuns : public ::testing::Test {
 protected:
  RecordedRuns()
      : path_(std::filesystem::temp_directory_path() /
              fmt::format("ward_runs_{}_{}",
                          ::testing::UnitTest::GetInstance()->current_test_info()->name(),
                          ::getpid())) {
    Forget();
    warehouse_.Add("sales.orders", {"id", "total"}, 10);
    warehouse_.results["SELECT 42"] = OneNumber(42);
    warehouse_.results["SELECT 43"] = OneNumber(43);
  }
  ~RecordedRuns() override { Forget(); }

  void Forget() const {
    for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(path_ + end);
  }

  RunRecord New(Driver driver = Driver::Model) const {
    RunRecord run;
    run.driver = driver;
    run.principal = "local";
    run.source = "shop";
    run.dialect = "PostgreSQL";
    run.question = "how many orders are there?";
    run.limits.output_tokens_max = 1'000;
    return run;
  }

  // Says the replies from `first` on; the process dies when it is asked for reply `dies_at`.
  RunResult Go(RunStore& store, const RunRecord& run, std::size_t first, std::size_t dies_at = 99) {
    llm::ScriptedLlm model({"scripted", "test", 16'000, 1'000},
                           [&](const llm::Request&, std::size_t n) -> ScriptedTurn {
                             if (first + n == dies_at) ::kill(::getpid(), SIGKILL);
                             return {replies_.at(first + n)};
                           });
    DriveOptions options;
    options.repair_prompt =
        *TemplateText::Parse("{{ORIGINAL_SQL}} fails: {{ERROR_MESSAGE}}", "test");
    options.on_step = on_step_;
    auto driven = Drive(store, run, warehouse_, model, options, ctx_);
    EXPECT_THAT(driven, IsOk());
    return driven ? std::move(driven->result) : RunResult{};
  }

  std::string path_;
  FakeClock clock_;
  CallContext ctx_{clock_};
  FakeWarehouse warehouse_;
  OnStep on_step_;
  std::vector<std::string> replies_ = replies;
};

TEST_F(RecordedRuns, EveryStepIsKeptWithWhatWasAskedAndWhatRan) {
  RunStore store(path_, clock_);
  RunRecord run = New();
  ASSERT_THAT(store.Create(run), IsOk());
  EXPECT_EQ(Go(store, run, 0).status, RunStatus::Completed);
  const auto kept = store.Find(run.id);
  ASSERT_THAT(kept, IsOk());
  ASSERT_TRUE(kept->has_value());
  EXPECT_EQ((*kept)->status, "completed");
  EXPECT_EQ((*kept)->summary, "42 orders");
  EXPECT_EQ((*kept)->lookups_used, 1);
  EXPECT_EQ((*kept)->counters.queries_successful, 2);
  EXPECT_THAT((*kept)->system, HasSubstr("sales.orders"));
  const auto steps = store.Steps(run.id);
  ASSERT_THAT(steps, IsOk());
  ASSERT_EQ(steps->size(), 5U);
  EXPECT_EQ((*steps)[1].action.query, "SELECT 42");
  EXPECT_EQ((*steps)[1].action.thinking, "count");
  EXPECT_EQ((*steps)[1].statement, "SELECT 42 AS n");
}

TEST_F(RecordedRuns, AFailingQueryIsMendedAndTheRecordHoldsBothStatements) {
  RunStore store(path_, clock_);
  RunRecord run = New();
  ASSERT_THAT(store.Create(run), IsOk());
  replies_ = {R"({"query":"SELECT wrong"})", R"({"query":"SELECT 42"})",
              R"({"done":true,"summary":"42"})"};
  const RunResult result = Go(store, run, 0);
  EXPECT_EQ(result.status, RunStatus::Completed);
  const auto steps = store.Steps(run.id);
  ASSERT_THAT(steps, IsOk());
  ASSERT_EQ(steps->size(), 2U) << "a rewrite is no step";
  const Step& query = steps->front();
  EXPECT_EQ(query.action.query, "SELECT wrong");
  EXPECT_EQ(query.statement, "SELECT 42 AS n");
  ASSERT_EQ(query.repairs.size(), 1U);
  EXPECT_EQ(query.repairs[0].before, "SELECT wrong");
  EXPECT_EQ(query.repairs[0].after, "SELECT 42");
  EXPECT_THAT(query.repairs[0].error, HasSubstr("column"));
  EXPECT_EQ(query.usage.input_tokens + steps->back().usage.input_tokens, result.usage.input_tokens);
  const RunRecord kept = **store.Find(run.id);
  EXPECT_EQ(kept.counters.repairs, 1);
  EXPECT_EQ(kept.counters.queries_repaired, 1);
  EXPECT_EQ(kept.counters.queries_failed, 0);
  EXPECT_EQ(kept.counters, CountersOf(*steps));
  EXPECT_THAT(MarkdownReport(kept, *steps), HasSubstr("Rewritten, since"));
  EXPECT_THAT(HtmlReport(kept, *steps), HasSubstr("Rewritten, since"));
  EXPECT_THAT(TextReport(kept, *steps), HasSubstr("1 (0 failed, 1 mended; rewrites: 1)"));
}

TEST_F(RecordedRuns, AQueryIsRewrittenFiveTimesAtMostAndTheRunGoesOn) {
  RunStore store(path_, clock_);
  RunRecord run = New();
  ASSERT_THAT(store.Create(run), IsOk());
  replies_ = {R"({"query":"SELECT wrong"})"};
  for (int i = 1; i <= kRepairTriesMax; ++i)
    replies_.push_back(fmt::format(R"({{"query":"SELECT wrong {}"}})", i));
  replies_.emplace_back(R"({"done":true,"summary":"not known"})");
  EXPECT_EQ(Go(store, run, 0).status, RunStatus::Completed);
  const auto steps = store.Steps(run.id);
  ASSERT_THAT(steps, IsOk());
  ASSERT_EQ(steps->size(), 2U);
  EXPECT_EQ(steps->front().repairs.size(), static_cast<std::size_t>(kRepairTriesMax));
  EXPECT_EQ(steps->front().statement, "");
  EXPECT_THAT(steps->front().observation, HasSubstr("rewritten 5 times"));
  const RunRecord kept = **store.Find(run.id);
  EXPECT_EQ(kept.counters.queries_failed, 1);
  EXPECT_EQ(kept.counters.queries_repaired, 0);
  EXPECT_EQ(kept.counters.repairs, kRepairTriesMax);
}

TEST_F(RecordedRuns, ClaimsAtTheEndAreVerifiedBeforeTheRunIsOver) {
  RunStore store(path_, clock_);
  RunRecord run = New();
  ASSERT_THAT(store.Create(run), IsOk());
  warehouse_.results["SELECT 42 AS n"] = OneNumber(42);
  replies_ = {R"({"query":"SELECT 42"})", R"({"done":true,"claims":[{"claim":"nothing"}]})",
              R"({"done":true,"summary":"42","claims":[
                {"claim":"there are 42","figures":[{"value":"42","kind":"cell","of":{"step":1,"column":"n"}}]},
                {"claim":"there are 50","figures":[{"value":"50","kind":"cell","of":{"step":1,"column":"n"}}]},
                {"claim":"of nowhere","figures":[{"value":"1","kind":"count","of":{"step":9}}]}]})"};
  const RunResult result = Go(store, run, 0);
  EXPECT_EQ(result.status, RunStatus::Completed);
  EXPECT_EQ(result.state.counters.unparsable_replies, 1) << "a claim without figures is none";
  const auto claims = store.Claims(run.id);
  ASSERT_THAT(claims, IsOk());
  ASSERT_EQ(claims->size(), 3U);
  EXPECT_THAT((*claims)[0], HasSubstr(R"("verdict":"confirmed")"));
  EXPECT_THAT((*claims)[1], HasSubstr(R"("right":"42")"));
  EXPECT_THAT((*claims)[1], HasSubstr(R"("verdict":"adjusted")"));
  EXPECT_THAT((*claims)[2], HasSubstr(R"("verdict":"error")"));
  const RunRecord kept = **store.Find(run.id);
  EXPECT_EQ(kept.claims_checked, 3);
  const auto steps = store.Steps(run.id);
  EXPECT_THAT(MarkdownReport(kept, *steps, *claims), HasSubstr("adjusted: there are 50"));
  EXPECT_THAT(HtmlReport(kept, *steps, *claims), HasSubstr("adjusted: there are 50"));
  EXPECT_THAT(JsonReport(kept, *steps, *claims), HasSubstr(R"("claims":[{"claim":"there are 42")"));
}

TEST_F(RecordedRuns, AClaimAndItsCountAreKeptTogether) {
  RunStore store(path_, clock_);
  RunRecord run = New();
  ASSERT_THAT(store.Create(run), IsOk());
  RunRecord earlier = run;
  EXPECT_THAT(store.AddEndingClaim(run, "{}"), IsOkAnd(true));
  // The process ends here, before it saves the run.
  const auto kept = store.Find(run.id);
  ASSERT_THAT(kept, IsOk());
  EXPECT_EQ((*kept)->claims_checked, 1);
  earlier.attempt = 0;
  EXPECT_THAT(store.AddEndingClaim(earlier, "{}"), IsOkAnd(false)) << "it was taken over";
  EXPECT_EQ(earlier.claims_checked, 0);
  EXPECT_EQ(store.Claims(run.id)->size(), 1U);
}

TEST_F(RecordedRuns, AKilledRunGoesOnWithoutRunningAQueryAgain) {
  RunRecord run = New();
  {
    RunStore store(path_, clock_);
    ASSERT_THAT(store.Create(run), IsOk());
  }
  const ::pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    RunStore store(path_, clock_);
    RunRecord own = New();
    if (!store.Create(own)) ::_exit(1);
    Go(store, own, 0, 3);
    ::_exit(2);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  RunStore store(path_, clock_);
  const auto listed = store.List(10);
  ASSERT_THAT(listed, IsOk());
  ASSERT_EQ(listed->size(), 2U);
  const RunRecord& dead = (*listed)[0].id == run.id ? (*listed)[1] : (*listed)[0];
  EXPECT_EQ(dead.status, "interrupted");
  EXPECT_EQ(dead.steps, 3);
  const auto taken = store.TakeOver(dead.id);
  ASSERT_THAT(taken, IsOk());
  const RunResult result = Go(store, *taken, 3);
  EXPECT_EQ(result.status, RunStatus::Completed);
  EXPECT_THAT(warehouse_.queries, ElementsAre("SELECT 43"));
  EXPECT_EQ(warehouse_.lookups.size(), 1U);
  EXPECT_EQ(result.state.lookups_used, 1);
  EXPECT_EQ(result.state.counters.queries_successful, 2);
  EXPECT_EQ(store.Steps(dead.id)->size(), 5U);
  EXPECT_FALSE(store.TakeOver(dead.id)) << "a completed run is not resumed";
  EXPECT_FALSE(store.TakeOver(run.id)) << "its owner, this process, lives";
}

TEST_F(RecordedRuns, ACancelledRunEndsAtItsNextStepAndStaysCancelled) {
  RunStore store(path_, clock_);
  RunRecord run = New();
  ASSERT_THAT(store.Create(run), IsOk());
  on_step_ = [&](const Step& step) -> Status {
    if (step.number == 2) {
      EXPECT_EQ(*store.Cancel(run.id), true);
    }
    return Ok();
  };
  EXPECT_EQ(Go(store, run, 0).status, RunStatus::Cancelled);
  EXPECT_EQ(store.Steps(run.id)->size(), 2U);
  EXPECT_EQ((*store.Find(run.id))->status, "cancelled");
  EXPECT_EQ(*store.Cancel(run.id), false);
}

TEST_F(RecordedRuns, AgentsAreHeldToTheSameBudgets) {
  RunStore store(path_, clock_);
  RunRecord run = New(Driver::Agent);
  run.limits.lookups.calls_max = 1;
  run.limits.steps_max = 3;
  ASSERT_THAT(store.Create(run), IsOk());
  Action lookup;
  lookup.kind = ActionKind::LookupSchema;
  lookup.tables = {"sales.orders"};
  const auto first = AgentStep(store, run.id, "local", lookup, warehouse_, {}, ctx_);
  ASSERT_THAT(first, IsOk());
  EXPECT_THAT(first->observation, HasSubstr("1 of 1, 0 left"));
  const auto second = AgentStep(store, run.id, "local", lookup, warehouse_, {}, ctx_);
  ASSERT_THAT(second, IsOk());
  EXPECT_THAT(second->error, HasSubstr("used up"));
  EXPECT_THAT(AgentStep(store, run.id, "somebody", lookup, warehouse_, {}, ctx_),
              IsError(ErrorKind::UnknownRun));
  ASSERT_THAT(AgentStep(store, run.id, "local", lookup, warehouse_, {}, ctx_), IsOk());
  const auto over = AgentStep(store, run.id, "local", lookup, warehouse_, {}, ctx_);
  ASSERT_FALSE(over);
  EXPECT_EQ(over.error().kind(), ErrorKind::RunBudgetSpent);
  EXPECT_EQ((*store.Find(run.id))->lookups_used, 1);
}

TEST_F(RecordedRuns, WhatAnAgentsSearchesTakeOfAnEmbedderIsTheRuns) {
  RunStore store(path_, clock_);
  RunRecord run = New(Driver::Agent);
  run.limits.searches.calls_max = 2;
  ASSERT_THAT(store.Create(run), IsOk());
  Action search;
  search.kind = ActionKind::SearchTables;
  search.search = "orders";
  llm::Spent one;
  one.calls = 1;
  one.usage.input_tokens = 10;
  one.cost = 7;
  const auto spent = [&] { return one; };
  ASSERT_THAT(AgentStep(store, run.id, "local", search, warehouse_, spent, ctx_), IsOk());
  ASSERT_THAT(AgentStep(store, run.id, "local", search, warehouse_, spent, ctx_), IsOk());
  const RunRecord kept = **store.Find(run.id);
  EXPECT_EQ(kept.embedder.calls, 2);
  EXPECT_EQ(kept.embedder.usage.input_tokens, 20);
  EXPECT_EQ(CostOf(kept), 14);
}

TEST_F(RecordedRuns, AStoppedRunIsPartialAndGoesOn) {
  RunStore store(path_, clock_);
  RunRecord run = New();
  ASSERT_THAT(store.Create(run), IsOk());
  std::stop_source stop;
  ctx_.stop = stop.get_token();
  on_step_ = [&](const Step& step) -> Status {
    if (step.number == 2) stop.request_stop();
    return Ok();
  };
  EXPECT_EQ(Go(store, run, 0).status, RunStatus::Partial);
  EXPECT_EQ((*store.Find(run.id))->status, "partial");
  ctx_.stop = {};
  const auto taken = store.TakeOver(run.id);
  ASSERT_THAT(taken, IsOk());
  EXPECT_EQ(Go(store, *taken, 2).status, RunStatus::Completed);
  EXPECT_EQ(warehouse_.queries.size(), 2U);
}

TEST_F(RecordedRuns, WhatWasSpentIsKeptWithEachStep) {
  RunStore store(path_, clock_);
  RunRecord run = New();
  ASSERT_THAT(store.Create(run), IsOk());
  run.spent.cost = 7;
  Step step;
  step.number = 1;
  step.kind = StepKind::Query;
  step.action.kind = ActionKind::QueryData;
  step.action.query = "SELECT 42";
  ASSERT_EQ(*store.Append(run, step), true);
  EXPECT_EQ((*store.Find(run.id))->spent.cost, 7);
  EXPECT_EQ((*store.Find(run.id))->counters, run.counters);
  EXPECT_EQ(run.counters.queries_successful, 1);
}

TEST_F(RecordedRuns, ASaveDoesNotTakeACancelBack) {
  RunStore store(path_, clock_);
  RunRecord run = New();
  ASSERT_THAT(store.Create(run), IsOk());
  ASSERT_EQ(*store.Cancel(run.id), true);
  EXPECT_EQ(*store.Save(run), true);
  EXPECT_EQ((*store.Find(run.id))->status, "cancelled");
}

TEST_F(RecordedRuns, TheOldestRunsThatAreOverAreForgotten) {
  RunStore store(path_, clock_, 3);
  std::vector<RunRecord> runs;
  for (int i = 0; i < 5; ++i) {
    runs.push_back(New());
    ASSERT_THAT(store.Create(runs.back()), IsOk());
    if (i == 0) {
      ASSERT_EQ(*store.Cancel(runs[0].id), true);
    }
    clock_.Advance(std::chrono::seconds(1));
    EXPECT_EQ(store.Find(runs[0].id)->has_value(), i < 3) << i;
  }
  EXPECT_TRUE(store.Find(runs[1].id)->has_value()) << "it still runs";
}

TEST_F(RecordedRuns, AStaleWriterIsNotHeard) {
  RunStore store(path_, clock_);
  RunRecord run = New(Driver::Agent);
  ASSERT_THAT(store.Create(run), IsOk());
  RunRecord stale = run;
  Step step;
  step.number = 1;
  step.kind = StepKind::Lookup;
  step.is_charged = true;
  step.action.kind = ActionKind::LookupSchema;
  step.action.tables = {"sales.orders"};
  EXPECT_EQ(*store.Append(run, step), true);
  EXPECT_EQ(*store.Append(stale, step), false);
  EXPECT_EQ((*store.Find(run.id))->lookups_used, 1);
}

TEST_F(RecordedRuns, AReportHoldsEveryStepAndNoMarkupOfOthers) {
  RunStore store(path_, clock_);
  RunRecord run = New();
  run.question = "<script>alert(1)</script> | how many?";
  ASSERT_THAT(store.Create(run), IsOk());
  Go(store, run, 0);
  const RunRecord kept = **store.Find(run.id);
  const auto steps = store.Steps(run.id);
  ASSERT_THAT(steps, IsOk());
  const std::string html = HtmlReport(kept, *steps);
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, HasSubstr("<svg"));
  EXPECT_THAT(html, HasSubstr("SELECT 43 AS n"));
  const std::string markdown = MarkdownReport(kept, *steps);
  EXPECT_THAT(markdown, HasSubstr("SELECT 42 AS n"));
  EXPECT_THAT(markdown, HasSubstr("schema_lookup_calls | 1"));
}

}  // namespace
}  // namespace schemaward::explore
