// What a run promises whoever drives it, beyond single actions: its bounds as they are published,
// and prompts that a provider takes and can keep. tests/explore/README.md says which row is where.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/result_matchers.h"
#include "explore/actions.h"
#include "explore/explorer.h"
#include "explore/fake_warehouse.h"
#include "llm/scripted.h"
#include "llm/tokens.h"

namespace schemaward::explore {
namespace {

using llm::Request;
using llm::ScriptedLlm;
using llm::ScriptedTurn;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Bounds, AreThePublishedOnes) {
  EXPECT_EQ(kLookupTablesMax, 10);
  EXPECT_EQ(kSampleRowsMax, 3);
  EXPECT_EQ(kColumnsShownMax, 50U);
  EXPECT_EQ(kCellBytesMax, 80U);
  EXPECT_EQ(kSearchHitsDefault, 10);
  EXPECT_EQ(kSearchHitsMax, 30);
  EXPECT_EQ(kCatalogWindowPercent, 30U);
  EXPECT_EQ(kParseTriesMax, 4);
  EXPECT_EQ(kRepairTriesMax, 5);
  const Limits limits;
  EXPECT_EQ(limits.steps_max, 100);
  EXPECT_EQ(limits.steps_min, 0);
  EXPECT_TRUE(limits.lookups.is_on);
  EXPECT_EQ(limits.lookups.calls_max, 30);
  EXPECT_TRUE(limits.searches.is_on);
  EXPECT_EQ(limits.searches.calls_max, 30);
}

class Promises : public ::testing::Test {
 protected:
  Promises() {
    warehouse_.Add("sales.orders", {"id", "total"}, 10);
    QueryResult rows;
    rows.columns = {{"n"}};
    for (std::int64_t i = 0; i < 100; ++i) rows.rows.push_back({i});
    warehouse_.results["SELECT n"] = rows;
    request_.question = "how many orders are there?";
    request_.dialect = "PostgreSQL";
    request_.limits.output_tokens_max = 500;
  }

  RunResult Explore(const std::function<std::string(std::size_t)>& reply,
                    std::int64_t window = 16'000) {
    model_ = std::make_unique<ScriptedLlm>(
        llm::ModelInfo{"scripted", "test", window, 500},
        [reply](const Request&, std::size_t n) { return ScriptedTurn{reply(n)}; });
    return explore::Explore(request_, warehouse_, *model_, {}, ctx_);
  }

  FakeClock clock_;
  CallContext ctx_{clock_};
  FakeWarehouse warehouse_;
  RunRequest request_;
  std::unique_ptr<ScriptedLlm> model_;
};

TEST_F(Promises, ABudgetThatIsOffFailsTheStepChargesNothingAndTheRunGoesOn) {
  State state;
  state.limits.lookups.is_on = false;
  state.limits.searches.is_on = false;
  Action lookup;
  lookup.kind = ActionKind::LookupSchema;
  lookup.tables = {"sales.orders"};
  Action search;
  search.kind = ActionKind::SearchTables;
  search.search = "orders";
  for (const Action& action : {lookup, search}) {
    const auto step = CarryOut(state, action, warehouse_, ctx_);
    ASSERT_THAT(step, IsOk());
    EXPECT_NE(step->error, "");
    EXPECT_FALSE(step->is_charged);
  }
  EXPECT_EQ(state.lookups_used + state.searches_used, 0);
  EXPECT_THAT(warehouse_.lookups, IsEmpty());
  EXPECT_THAT(warehouse_.searches, IsEmpty());
}

TEST_F(Promises, APromptNamesNoActionThatIsOff) {
  for (int i = 0; i < 2'000; ++i) warehouse_.Add("s.table_" + std::to_string(i), {"id"});
  request_.limits.steps_max = 1;
  const auto reply = [](std::size_t) { return R"({"query":"SELECT n"})"; };
  EXPECT_GT(Explore(reply).catalog.tables_left_out, 0);
  EXPECT_THAT(model_->Requests()[0].system, HasSubstr("search_tables reaches them all"));
  request_.limits.searches.is_on = false;
  request_.limits.lookups.is_on = false;
  Explore(reply);
  const std::string system = model_->Requests()[0].system;
  EXPECT_THAT(system, HasSubstr("too many to list"));
  EXPECT_THAT(system, Not(HasSubstr("search_tables")));
  EXPECT_THAT(system, Not(HasSubstr("lookup_schema")));
}

TEST_F(Promises, LookupsAndSearchesAreStepsToo) {
  request_.limits.steps_max = 4;
  const RunResult run = Explore([](std::size_t n) {
    return n % 2 == 0 ? R"({"lookup_schema":["orders"]})" : R"({"search_tables":"orders"})";
  });
  EXPECT_EQ(run.status, RunStatus::OutOfSteps);
  EXPECT_EQ(run.state.steps.size(), 4U);
  EXPECT_EQ(run.state.counters.queries, 0) << "a lookup is no query";
  EXPECT_EQ(run.state.lookups_used, 1) << "what was shown before costs nothing";
  EXPECT_EQ(run.state.counters.schema_lookup_calls, 2);
}

TEST_F(Promises, EveryPromptAlternatesAndBeginsWithTheQuestion) {
  request_.limits.steps_max = 200;
  // Some replies are prose, so that nudges stand at the end too.
  const RunResult run = Explore(
      [](std::size_t n) { return n % 40 == 3 ? "let me think" : R"({"query":"SELECT n"})"; },
      4'000);
  EXPECT_EQ(run.state.steps.size(), 200U);
  bool left_some_out = false;
  for (const Request& request : model_->Requests()) {
    EXPECT_THAT(llm::CheckRequest(request), IsOk());
    EXPECT_THAT(request.messages.front().text, StartsWith("Question: how many orders"));
    left_some_out |=
        request.messages.front().text.find("earlier steps are not shown") != std::string::npos;
    EXPECT_LE(llm::EstimateTokens(request) + request.output_tokens_max, 4'000);
  }
  EXPECT_TRUE(left_some_out);
}

// True where `next` begins with all that `request` marks as kept.
bool Repeats(const Request& request, const Request& next) {
  const auto kept = static_cast<std::size_t>(request.cached_messages);
  if (next.system != request.system || next.messages.size() < kept) return false;
  for (std::size_t i = 0; i < kept; ++i)
    if (next.messages[i].text != request.messages[i].text) return false;
  return true;
}

TEST_F(Promises, WhatIsMarkedForAProvidersCacheIsRepeatedByTheNextPrompt) {
  request_.limits.steps_max = 60;
  Explore([](std::size_t n) { return n == 5 ? "prose" : R"({"query":"SELECT n"})"; }, 8'000);
  const auto requests = model_->Requests();
  ASSERT_EQ(requests.size(), 61U);
  std::size_t repeats = 0;
  for (std::size_t i = 0; i + 1 < requests.size(); ++i) {
    EXPECT_GT(requests[i].cached_messages, 0);
    EXPECT_LE(static_cast<std::size_t>(requests[i].cached_messages), requests[i].messages.size());
    repeats += Repeats(requests[i], requests[i + 1]);
  }
  EXPECT_TRUE(Repeats(requests[5], requests[6])) << "a nudge is not kept";
  // What is shortened moves on in strides: most prompts repeat the one before.
  EXPECT_GE(repeats, requests.size() * 3 / 4);
  EXPECT_LT(repeats, requests.size() - 1) << "nothing was shortened";
}

TEST_F(Promises, OldResultsBecomeALine) {
  request_.limits.steps_max = 60;
  Explore([](std::size_t) { return R"({"query":"SELECT n"})"; }, 8'000);
  const auto requests = model_->Requests();
  EXPECT_THAT(requests[2].messages[2].text, HasSubstr("quartiles"));
  EXPECT_THAT(requests.back().messages[2].text, Not(HasSubstr("quartiles")));
  EXPECT_THAT(requests.back().messages.back().text, HasSubstr("quartiles"));
}

}  // namespace
}  // namespace schemaward::explore
