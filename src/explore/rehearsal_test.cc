// The forecast of a run: that it is the run's own arithmetic, and that nothing is asked for it.
#include "explore/rehearsal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/result_matchers.h"
#include "explore/fake_warehouse.h"
#include "llm/scripted.h"

namespace schemaward::explore {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

class Rehearsing : public ::testing::Test {
 protected:
  Rehearsing() {
    for (int i = 0; i < 200; ++i)
      warehouse_.Add("s.table_" + std::to_string(i), {"id", "region", "amount", "placed_at"}, 10);
    request_.question = "how many orders are there?";
    request_.dialect = "PostgreSQL";
  }
  Forecast Of(std::int64_t steps, std::int64_t window = 64'000) {
    request_.limits.steps_max = steps;
    return Rehearse(request_, warehouse_, {"scripted", "m", window, 4'096}, ctx_).value();
  }

  FakeClock clock_;
  CallContext ctx_{clock_};
  FakeWarehouse warehouse_;
  RunRequest request_;
};

TEST_F(Rehearsing, AsksTheIndexAloneAndRunsNothing) {
  const Forecast forecast = Of(100);
  EXPECT_THAT(warehouse_.queries, IsEmpty());
  EXPECT_THAT(warehouse_.searches, IsEmpty());
  EXPECT_THAT(warehouse_.lookups, SizeIs(20U));
  EXPECT_EQ(forecast.usual_requests, 100);
  EXPECT_EQ(forecast.catalog.tables_listed, 200);
  EXPECT_GT(forecast.base_tokens, forecast.catalog.tokens);
}

TEST_F(Rehearsing, RepliesAreOfUsualSizeAndEachRequestIsOneOfAWholeRun) {
  const Forecast forecast = Of(50);
  EXPECT_NEAR(static_cast<double>(forecast.usual.output_tokens) / 50,
              static_cast<double>(kUsualReplyTokens), kUsualReplyTokens / 5.0);
  EXPECT_GT(forecast.usual.input_tokens, 50 * forecast.base_tokens);
  EXPECT_LE(forecast.usual.input_tokens, 50 * forecast.largest_prompt_tokens);
  EXPECT_GT(forecast.usual.cache_read_tokens, forecast.usual.input_tokens / 2);
  EXPECT_LT(forecast.usual.cache_read_tokens, forecast.usual.input_tokens);
}

// Each step sends the history again: twice the steps cost more than twice, until the window bounds
// the prompt; then as much a step.
TEST_F(Rehearsing, CountsTheHistoryThatEachStepSendsAgain) {
  EXPECT_GT(Of(40).usual.input_tokens,
            3 * Of(20).usual.input_tokens / 2 + Of(20).usual.input_tokens);
  const std::int64_t at_200 = Of(200, 16'000).usual.input_tokens;
  const std::int64_t at_400 = Of(400, 16'000).usual.input_tokens;
  EXPECT_LE(at_400, at_200 * 21 / 10);
  EXPECT_LE(Of(400, 16'000).largest_prompt_tokens, 16'000 - 4'096);
}

TEST_F(Rehearsing, NothingWithinTheLimitsPassesTheMost) {
  const Forecast forecast = Of(30, 16'000);
  EXPECT_EQ(forecast.most_requests, 30 + kUnparsableMax);
  // The worst of models: it fills every reply, and gives as many unparsable ones as are borne.
  std::int64_t unparsable = 0;
  const std::string filler(12'000, 'x');
  llm::ScriptedLlm model({"scripted", "m", 16'000, 4'096}, [&](const auto&, std::size_t n) {
    llm::ScriptedTurn turn;
    turn.text = n % 3 == 2 && ++unparsable < kUnparsableMax
                    ? "prose " + filler
                    : R"({"query":"SELECT ')" + filler + R"('"})";
    return turn;
  });
  const RunResult run = Explore(request_, warehouse_, model, {}, ctx_);
  EXPECT_EQ(run.status, RunStatus::OutOfSteps);
  EXPECT_LE(static_cast<std::int64_t>(model.Requests().size()), forecast.most_requests);
  EXPECT_LE(run.usage.input_tokens, forecast.most.input_tokens);
  EXPECT_LE(run.usage.output_tokens, forecast.most.output_tokens);
  EXPECT_GT(run.usage.input_tokens, Of(30, 16'000).usual.input_tokens);
}

TEST_F(Rehearsing, ARunThatCannotBeginHasNoForecast) {
  EXPECT_THAT(Rehearse(request_, warehouse_, {"scripted", "m", 5'000, 4'096}, ctx_),
              IsError(ErrorKind::ByteCap));
  request_.question.clear();
  EXPECT_THAT(Rehearse(request_, warehouse_, {"scripted", "m", 64'000, 4'096}, ctx_),
              IsError(ErrorKind::InvalidArgument));
}

TEST_F(Rehearsing, BudgetsThatAreOffAreLeftAlone) {
  request_.limits.lookups.is_on = false;
  request_.limits.searches.is_on = false;
  EXPECT_EQ(Of(20).usual_requests, 20);
  EXPECT_THAT(warehouse_.lookups, IsEmpty());
  FakeWarehouse nothing;
  EXPECT_THAT(Rehearse(request_, nothing, {"scripted", "m", 64'000, 4'096}, ctx_), IsOk());
}

}  // namespace
}  // namespace schemaward::explore
