#include "explore/explorer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/result_matchers.h"
#include "explore/fake_warehouse.h"
#include "llm/metered.h"
#include "llm/recorded.h"
#include "llm/scripted.h"
#include "llm/tokens.h"

namespace schemaward::explore {
namespace {

using llm::Request;
using llm::ScriptedLlm;
using llm::ScriptedTurn;
using ::testing::HasSubstr;
using ::testing::Not;

const llm::ModelInfo model_info{"scripted", "test", 16'000, 1'000};

class Exploring : public ::testing::Test {
 protected:
  Exploring() {
    warehouse_.Add("sales.orders", {"id", "total"}, 10);
    QueryResult one;
    one.columns = {{"n"}};
    one.rows = {{std::int64_t{42}}};
    one.statement = "SELECT count(*) AS n FROM sales.orders";
    warehouse_.results["SELECT 42"] = one;
    request_.question = "how many orders are there?";
    request_.dialect = "PostgreSQL";
    request_.limits.output_tokens_max = 1'000;
  }

  RunResult Explore(std::vector<ScriptedTurn> turns) {
    model_ = std::make_unique<ScriptedLlm>(model_info, std::move(turns));
    return explore::Explore(request_, warehouse_, *model_, on_step_, ctx_);
  }

  FakeClock clock_;
  CallContext ctx_{clock_};
  FakeWarehouse warehouse_;
  RunRequest request_;
  OnStep on_step_;
  std::unique_ptr<ScriptedLlm> model_;
};

const ScriptedTurn lookup_reply{R"({"lookup_schema":["sales.orders"]})"};
const ScriptedTurn query_reply{R"({"query":"SELECT 42"})"};
const ScriptedTurn done_reply{R"({"done":true,"summary":"42 orders"})"};
const ScriptedTurn prose_reply{"I think we are done now."};

TEST_F(Exploring, LooksUpAsksAndEnds) {
  std::vector<std::int64_t> told;
  on_step_ = [&](const Step& step) {
    told.push_back(step.number);
    return Ok();
  };
  const RunResult run =
      Explore({lookup_reply, {R"({"search_tables":"sales"})"}, query_reply, done_reply});
  EXPECT_EQ(run.status, RunStatus::Completed);
  EXPECT_EQ(warehouse_.prepared, 1);
  EXPECT_EQ(run.summary, "42 orders");
  EXPECT_EQ(run.state.counters, (Counters{.schema_lookup_calls = 1,
                                          .schema_search_calls = 1,
                                          .queries = 1,
                                          .queries_successful = 1}));
  EXPECT_THAT(told, ::testing::ElementsAre(1, 2, 3, 4));
  const auto requests = model_->Requests();
  ASSERT_EQ(requests.size(), 4U);
  EXPECT_THAT(requests[0].system, HasSubstr("sales.orders|2c|10 rows"));
  EXPECT_THAT(requests[0].system, HasSubstr("PostgreSQL"));
  EXPECT_THAT(requests[3].messages.back().text, HasSubstr("n=42"));
  EXPECT_EQ(requests[3].system, requests[0].system);
}

TEST_F(Exploring, BudgetsInThePromptAreThoseThatAreHeld) {
  request_.limits.lookups.calls_max = 7;
  request_.limits.searches = {false, 0};
  request_.limits.steps_min = 2;
  Explore({lookup_reply, done_reply});
  const std::string system = model_->Requests()[0].system;
  EXPECT_THAT(system, HasSubstr("At most 10 tables in a call and 7 calls"));
  EXPECT_THAT(system, Not(HasSubstr("search_tables")));
  EXPECT_THAT(system, HasSubstr("from step 2 on"));
}

TEST_F(Exploring, ProseNeverEndsARun) {
  const RunResult run = Explore({prose_reply, done_reply});
  EXPECT_EQ(run.status, RunStatus::Completed);
  EXPECT_EQ(run.state.steps.size(), 1U);
  EXPECT_EQ(run.state.steps[0].replies, 2);
  EXPECT_EQ(run.state.counters.unparsable_replies, 1);
  const auto nudge = model_->Requests()[1].messages.back().text;
  for (const char* word : {"\"query\"", "lookup_schema", "search_tables", "\"done\""})
    EXPECT_THAT(nudge, HasSubstr(word));
}

TEST_F(Exploring, FourUnparsableRepliesInOneStepFailTheRun) {
  EXPECT_EQ(Explore({prose_reply, prose_reply, prose_reply, done_reply}).status,
            RunStatus::Completed);
  const RunResult run =
      Explore({query_reply, prose_reply, prose_reply, prose_reply, prose_reply, done_reply});
  EXPECT_EQ(run.status, RunStatus::Failed);
  EXPECT_EQ(run.state.steps.size(), 1U);
  EXPECT_EQ(model_->Requests().size(), 5U);
}

TEST_F(Exploring, UnparsableRepliesOfARunAreBounded) {
  std::vector<ScriptedTurn> turns;
  for (int i = 0; i < 20; ++i) {
    turns.push_back(prose_reply);
    turns.push_back(query_reply);
  }
  const RunResult run = Explore(turns);
  EXPECT_EQ(run.status, RunStatus::Failed);
  EXPECT_EQ(run.state.counters.unparsable_replies, kUnparsableMax);
  EXPECT_EQ(run.state.steps.size(), static_cast<std::size_t>(kUnparsableMax) - 1);
}

TEST_F(Exploring, AllStepsUsedIsNoFailure) {
  request_.limits.steps_max = 3;
  const RunResult run = Explore({query_reply, query_reply, query_reply, done_reply});
  EXPECT_EQ(run.status, RunStatus::OutOfSteps);
  EXPECT_EQ(run.state.steps.size(), 3U);
  EXPECT_FALSE(run.error);
}

TEST_F(Exploring, AnEarlyEndIsToldAndTheRunGoesOn) {
  request_.limits.steps_min = 2;
  const RunResult run = Explore({done_reply, done_reply});
  EXPECT_EQ(run.status, RunStatus::Completed);
  EXPECT_EQ(run.state.steps.size(), 2U);
  EXPECT_THAT(model_->Requests()[1].messages.back().text, HasSubstr("goes on for at least 2"));
}

TEST_F(Exploring, AModelThatFailsLeavesWhatWasDone) {
  const RunResult run =
      Explore({query_reply, {"", Error(ErrorKind::SourceUnreachable, "the model is away")}});
  EXPECT_EQ(run.status, RunStatus::Failed);
  EXPECT_EQ(run.state.steps.size(), 1U);
  EXPECT_EQ(run.error->kind(), ErrorKind::SourceUnreachable);
}

TEST_F(Exploring, AMoneyCapGivesAPartialRun) {
  const llm::Price price{1, 1, 1, 1};
  auto script = std::make_shared<ScriptedLlm>(
      model_info, [](const Request&, std::size_t) { return query_reply; });
  llm::MeteredLlm model(script, {.price = price, .cost_max = llm::kNanoPerUsd / 100});
  const RunResult run = explore::Explore(request_, warehouse_, model, {}, ctx_);
  EXPECT_EQ(run.status, RunStatus::Partial);
  EXPECT_GT(run.state.steps.size(), 1U);
  EXPECT_LE(model.spent().cost, llm::kNanoPerUsd / 100);
  EXPECT_EQ(run.error->kind(), ErrorKind::MoneyCap);
}

TEST_F(Exploring, ACancelledRunKeepsItsSteps) {
  std::stop_source stop;
  ctx_.stop = stop.get_token();
  on_step_ = [&](const Step&) {
    stop.request_stop();
    return Ok();
  };
  const RunResult run = Explore({query_reply, done_reply});
  EXPECT_EQ(run.status, RunStatus::Cancelled);
  EXPECT_EQ(run.state.steps.size(), 1U);
}

TEST_F(Exploring, WhoKeepsTheStepsCanEndTheRun) {
  on_step_ = [](const Step&) { return Status(Error(ErrorKind::DiskFull, "the disk is full")); };
  const RunResult run = Explore({query_reply, done_reply});
  EXPECT_EQ(run.status, RunStatus::Failed);
  EXPECT_EQ(run.error->kind(), ErrorKind::DiskFull);
}

TEST_F(Exploring, ARunReplaysByteForByte) {
  std::string recording;
  auto script = std::make_shared<ScriptedLlm>(
      model_info, std::vector<ScriptedTurn>{lookup_reply, prose_reply, query_reply, done_reply});
  llm::RecordingLlm first(script, [&](const std::string& line) {
    recording += line + "\n";
    return Ok();
  });
  const RunResult run = explore::Explore(request_, warehouse_, first, {}, ctx_);
  const auto replay = llm::RecordedLlm::Parse(model_info, recording);
  ASSERT_THAT(replay, IsOk());
  const RunResult again = explore::Explore(request_, warehouse_, **replay, {}, ctx_);
  EXPECT_EQ(again.status, RunStatus::Completed);
  ASSERT_EQ(again.state.steps.size(), run.state.steps.size());
  for (std::size_t i = 0; i < run.state.steps.size(); ++i)
    EXPECT_EQ(again.state.steps[i].observation, run.state.steps[i].observation);
}

TEST_F(Exploring, ThreeHundredStepsOverTwentyThousandTablesFitTheWindow) {
  for (int i = 0; i < 20'000; ++i)
    warehouse_.Add("s" + std::to_string(i % 40) + ".table_" + std::to_string(i), {"id", "a", "b"});
  QueryResult wide;
  for (int c = 0; c < 8; ++c) wide.columns.push_back({"c" + std::to_string(c)});
  for (int r = 0; r < 40; ++r) wide.rows.emplace_back(8, std::string("value of a row"));
  warehouse_.results["SELECT wide"] = wide;
  request_.limits.steps_max = 300;
  std::vector<std::int64_t> prompts;
  ScriptedLlm model(model_info, [&](const Request& request, std::size_t n) {
    prompts.push_back(llm::EstimateTokens(request));
    if (n % 10 == 3) return ScriptedTurn{R"({"search_tables":"table_7","search_top_k":30})"};
    if (n % 10 == 5)
      return ScriptedTurn{R"({"lookup_schema":["table_)" + std::to_string(n) + "\"]}"};
    return ScriptedTurn{R"({"query":"SELECT wide"})"};
  });
  model.ForgetRequests();
  const RunResult run = explore::Explore(request_, warehouse_, model, {}, ctx_);
  EXPECT_EQ(run.status, RunStatus::OutOfSteps) << run.error->ToLogText();
  EXPECT_EQ(run.state.steps.size(), 300U);
  EXPECT_LE(run.largest_prompt_tokens + 1'000, model_info.window_tokens);
  EXPECT_EQ(run.state.lookups_used, 30);
  EXPECT_EQ(run.state.searches_used, 30);
  EXPECT_EQ(run.catalog.tables_left_out, 20'001);
  EXPECT_LE(run.catalog.tokens, model_info.window_tokens * 30 / 100);
  EXPECT_EQ(run.state.counters.schema_search_calls, 30);
  EXPECT_EQ(run.state.counters.schema_lookup_calls, 30);
  EXPECT_EQ(run.state.counters.queries, 240);
  // No prompt outgrows the window, and none is larger than the one before by more than a step.
  ASSERT_EQ(prompts.size(), 300U);
  std::int64_t step_most = 0;
  std::size_t bytes = 0;
  for (const Step& step : run.state.steps) {
    step_most = std::max(step_most, step.tokens_full);
    bytes = std::max(bytes, step.observation.size() + step.short_form.size());
  }
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    EXPECT_LE(prompts[i] + 1'000, model_info.window_tokens) << i;
    EXPECT_LE(prompts[i] - (i == 0 ? prompts[i] : prompts[i - 1]), step_most + 40) << i;
  }
  // What a step keeps is bounded, whatever the size of the catalog: a run grows by its steps alone.
  EXPECT_LE(bytes, 5 * kObservationBytesMax);
}

TEST(Catalog, IsListedWhereItFits) {
  const std::vector<CatalogEntry> catalog = {{"a.x", "a", 3, 1'500}, {"b.y", "b", 1, {}}};
  const CatalogText text = RenderCatalog(catalog, 1'000);
  EXPECT_EQ(text.text, "a.x|3c|1.5K rows\nb.y|1c|unknown rows\n");
  EXPECT_EQ(text.tables_listed, 2);
}

TEST(Catalog, IsCountedBySchemaWhereItDoesNotFitAndSaysWhatIsLeftOut) {
  std::vector<CatalogEntry> catalog;
  for (int i = 0; i < 300; ++i) {
    const std::string schema = "s" + std::to_string(i % 3);
    catalog.push_back({schema + ".t" + std::to_string(i), schema, 1, 1});
  }
  const CatalogText text = RenderCatalog(catalog, 200);
  EXPECT_THAT(text.text, HasSubstr("300 tables are too many to list"));
  EXPECT_THAT(text.text, HasSubstr("s1: 100 tables"));
  EXPECT_EQ(text.tables_left_out, 300);
  EXPECT_THAT(RenderCatalog(catalog, 30).text, HasSubstr("schemas more"));
}

TEST(Catalog, OfNoTablesSaysSo) { EXPECT_THAT(RenderCatalog({}, 10).text, HasSubstr("no tables")); }

TEST(PromptBase, ThatLeavesNoRoomIsRefused) {
  Limits limits;
  limits.output_tokens_max = 1'000;
  EXPECT_THAT(MakePromptBase("q", "SQLite", {}, limits, {"s", "small", 2'500, 1'000}),
              IsError(ErrorKind::ByteCap, HasSubstr("window")));
  EXPECT_THAT(MakePromptBase("", "SQLite", {}, limits, model_info),
              IsError(ErrorKind::InvalidArgument));
  EXPECT_THAT(
      MakePromptBase(std::string(kQuestionBytesMax + 1, 'q'), "SQLite", {}, limits, model_info),
      IsError(ErrorKind::InvalidArgument));
  EXPECT_THAT(MakePromptBase("q", "SQLite", {}, limits, model_info), IsOk());
}

TEST(NextRequest, ShortensOldStepsInStridesAndKeepsTheLast) {
  Limits limits;
  limits.output_tokens_max = 1'000;
  const auto base = MakePromptBase("q", "SQLite", {}, limits, model_info);
  ASSERT_THAT(base, IsOk());
  State state;
  state.limits = limits;
  for (int i = 1; i <= 40; ++i) {
    Step step;
    step.number = i;
    step.action.kind = ActionKind::QueryData;
    step.action.query = "SELECT " + std::to_string(i);
    step.observation = std::string(2'900, '7');
    step.short_form = "one row";
    Measure(step);
    state.steps.push_back(step);
  }
  const auto request = MakeRequest(*base, state, {}, model_info);
  ASSERT_THAT(request, IsOk());
  EXPECT_THAT(llm::CheckRequest(*request), IsOk());
  EXPECT_LE(llm::EstimateTokens(*request), PromptTokensMax(model_info, limits));
  EXPECT_THAT(request->messages[2].text, HasSubstr("one row"));
  EXPECT_THAT(request->messages.back().text, HasSubstr("7777"));
  std::size_t brief = 0;
  for (const auto& message : request->messages)
    brief += message.text.find("one row") != std::string::npos;
  EXPECT_EQ(brief % 8, 0U);
}

}  // namespace
}  // namespace schemaward::explore
