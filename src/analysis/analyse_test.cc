// The analysis of a run: which steps an area is shown, what is kept, and that nothing is asked
// twice.
#include "analysis/analyse.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/select.h"
#include "base/clock.h"
#include "base/result_matchers.h"
#include "explore/fake_warehouse.h"
#include "explore/prompt.h"
#include "llm/scripted.h"
#include "llm/tokens.h"

namespace schemaward::analysis {
namespace {

using explore::Step;
using llm::ScriptedTurn;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Step Query(std::int64_t number, const std::string& purpose, const std::string& sql) {
  Step step;
  step.number = number;
  step.kind = explore::StepKind::Query;
  step.action.kind = explore::ActionKind::QueryData;
  step.action.purpose = purpose;
  step.action.query = sql;
  step.statement = sql;
  step.observation = "1 row\nn\n42";
  step.rows = 1;
  return step;
}

packs::Area AreaOf(const std::string& id, std::int64_t priority,
                   const std::vector<std::string>& keywords) {
  packs::Area area;
  area.id = id;
  area.name = "Area " + id;
  area.description = "about " + id;
  area.keywords = keywords;
  area.priority = priority;
  area.prompt = *TemplateText::Parse("Look at " + id + ":\n{{QUERY_RESULTS}}", "area");
  return area;
}

std::string Insight(const std::string& name, int count, const std::string& steps) {
  return fmt::format(
      R"({{"name":"{}","description":"there are {} of them","severity":"high","affected_count":{},"claimed_metric":"orders","source_steps":[{}]}})",
      name, count, count, steps);
}

std::string Reply(const std::string& insights) {
  return "<think>hm</think>```json\n{\"insights\":[" + insights + "]}\n```";
}

class Analysing : public ::testing::Test {
 protected:
  Analysing() {
    pack_.id = "shops";
    pack_.areas = {AreaOf("orders", 1, {"order"}), AreaOf("carts", 2, {"cart"}),
                   AreaOf("stock", 3, {"sku"})};
    steps_ = {Query(1, "count Orders", "SELECT count(*) AS n FROM sales.orders"),
              Query(2, "abandoned carts", "SELECT 7 AS n"), Query(3, "", "SELECT 1 AS n")};
    Step failed = Query(4, "orders again", "");
    failed.error = "no such column";
    steps_.push_back(failed);
    run_.question = "what is wrong?";
    run_.dialect = "SQLite";
    warehouse_.Add("sales.orders", {"id"}, 42);
    explore::QueryResult one;
    one.columns = {{"verified"}};
    one.rows = {{std::int64_t{42}}};
    one.statement = kCheck;
    warehouse_.results[kCheck] = one;
    options_.pack = &pack_;
  }

  Status Go(std::vector<ScriptedTurn> turns) {
    model_ = std::make_unique<llm::ScriptedLlm>(info_, std::move(turns));
    return Analyse(run_, steps_, options_, warehouse_, *model_, save_, ctx_);
  }
  void Verify() {
    verify_.dialect = "SQLite";
    options_.verify = &verify_;
  }
  std::string Prompt(std::size_t n) const { return model_->Requests().at(n).system; }

  static constexpr const char* kCheck = "SELECT count(*) AS verified FROM sales.orders";
  const std::string check_ = fmt::format(R"({{"query":"{}"}})", kCheck);
  llm::ModelInfo info_{"scripted", "test", 32'000, 2'000};
  FakeClock clock_;
  CallContext ctx_{clock_};
  explore::FakeWarehouse warehouse_;
  packs::Pack pack_;
  std::vector<Step> steps_;
  explore::RunRecord run_;
  verify::VerifyOptions verify_;
  Options options_;
  std::size_t saves_ = 0;
  explore::SaveRun save_ = [this](explore::RunRecord&) -> Status {
    ++saves_;
    return Ok();
  };
  std::unique_ptr<llm::ScriptedLlm> model_;
};

TEST_F(Analysing, EachAreaIsShownTheStepsThatNameItsKeywordsByPriority) {
  ASSERT_THAT(Go({{Reply(Insight("many", 42, "1"))}, {Reply("")}}), IsOk());
  ASSERT_EQ(model_->Requests().size(), 2U) << "an area without steps asks no model";
  EXPECT_THAT(Prompt(0), HasSubstr("Step 1: count Orders\nSQL: SELECT count(*)"));
  EXPECT_THAT(Prompt(0), Not(HasSubstr("carts")));
  EXPECT_THAT(Prompt(0), Not(HasSubstr("Step 4"))) << "it ran nothing";
  EXPECT_THAT(Prompt(1), HasSubstr("Step 2: abandoned carts"));
  const auto& areas = run_.analysis.areas;
  ASSERT_EQ(areas.size(), 3U);
  EXPECT_EQ(areas[0].status, "done");
  EXPECT_THAT(areas[0].steps, ElementsAre(1));
  EXPECT_EQ(areas[0].ranker, "keywords");
  EXPECT_EQ(areas[2].status, "no_steps");
  ASSERT_EQ(run_.analysis.insights.size(), 1U);
  EXPECT_EQ(run_.analysis.insights[0].id, "orders-1");
  EXPECT_EQ(run_.analysis.insights[0].claimed, "42");
  EXPECT_EQ(run_.analysis.insights[0].status, "") << "nothing verified it";
}

TEST_F(Analysing, AnEmbedderAddsStepsOfLikeMeaningAndDropsFarOnes) {
  llm::ScriptedEmbedder embedder({"scripted", "test"}, [](const std::string& text) {
    const bool is_near =
        text.find("SELECT 1") != std::string::npos || text.find("Area orders") != std::string::npos;
    return Result<std::vector<float>>(is_near ? std::vector<float>{1, 0}
                                              : std::vector<float>{0, 1});
  });
  const auto ranking = RankSteps(pack_.areas[0], steps_, &embedder, ctx_);
  ASSERT_THAT(ranking, IsOk());
  EXPECT_EQ(ranking->ranker, "hybrid");
  ASSERT_EQ(ranking->steps.size(), 2U);
  EXPECT_EQ(ranking->steps[0].step->number, 3);
  EXPECT_EQ(ranking->steps[1].step->number, 1);
  EXPECT_DOUBLE_EQ(ranking->steps[1].score, kKeywordScore);
}

TEST_F(Analysing, AnEmbedderThatIsAwayLeavesKeywordsAndSaysSo) {
  llm::ScriptedEmbedder embedder({"scripted", "test"}, [](const std::string&) {
    return Result<std::vector<float>>(Error(ErrorKind::SourceUnreachable, "it is away"));
  });
  const auto ranking = RankSteps(pack_.areas[0], steps_, &embedder, ctx_);
  ASSERT_THAT(ranking, IsOk());
  EXPECT_EQ(ranking->ranker, "keywords, degraded");
  ASSERT_EQ(ranking->steps.size(), 1U);
}

TEST_F(Analysing, StepsThatDoNotFitAreLeftOutAndCounted) {
  steps_.clear();
  for (int i = 1; i <= 60; ++i) {
    steps_.push_back(Query(i, "orders", fmt::format("SELECT {} FROM sales.orders", i)));
    steps_.back().observation = std::string(5'000, '7');
  }
  ASSERT_THAT(Go({{Reply("")}}), IsOk());
  const explore::AreaResult& area = run_.analysis.areas.front();
  EXPECT_EQ(area.steps.size() + static_cast<std::size_t>(area.steps_left_out), kStepsOfAreaMax);
  EXPECT_GT(area.steps_left_out, 0);
  const llm::Request request = model_->Requests().front();
  EXPECT_LE(llm::EstimateTokens(request) + request.output_tokens_max, info_.window_tokens);
}

TEST_F(Analysing, CitedStepsThatWereNotShownAreDropped) {
  ASSERT_THAT(Go({{Reply(Insight("many", 42, "1,2,99"))}, {Reply("")}}), IsOk());
  EXPECT_THAT(run_.analysis.insights.at(0).source_steps, ElementsAre(1));
  EXPECT_THAT(run_.analysis.areas.at(0).why, HasSubstr("not shown"));
}

TEST_F(Analysing, AReplyWithoutInsightsIsAskedAgainOnceAndThenItsAreaFailsAlone) {
  ASSERT_THAT(Go({{"prose"}, {R"({"insights":[{"name":3}]})"}, {Reply(Insight("c", 7, "2"))}}),
              IsOk());
  EXPECT_EQ(run_.analysis.areas.at(0).status, "failed");
  EXPECT_EQ(run_.analysis.areas.at(1).status, "done");
  EXPECT_EQ(run_.analysis.insights.size(), 1U);
}

TEST_F(Analysing, EachInsightIsVerifiedAndTheVerdictIsKept) {
  Verify();
  ASSERT_THAT(Go({{Reply(Insight("right", 42, "1") + "," + Insight("wrong", 50, "1"))},
                  {Reply("")},
                  {check_},
                  {check_},
                  {check_}}),
              IsOk());
  const auto& insights = run_.analysis.insights;
  ASSERT_EQ(insights.size(), 2U);
  EXPECT_EQ(insights[0].status, "confirmed");
  EXPECT_EQ(insights[1].status, "adjusted");
  EXPECT_EQ(insights[1].verified, "42");
  EXPECT_EQ(insights[1].claimed, "50") << "the insight keeps its own number";
  EXPECT_THAT(insights[1].reasons, Not(IsEmpty()));
}

// A query that was mended ran otherwise than it was asked.
TEST_F(Analysing, WhatRanIsShownAndIsTheEvidenceAndNotWhatWasAsked) {
  steps_[0].action.query = "SELECT count(*) AS n FROM sales.ordrs";
  Verify();
  ASSERT_THAT(Go({{Reply(Insight("right", 42, "1"))}, {Reply("")}, {check_}}), IsOk());
  const auto requests = model_->Requests();
  ASSERT_EQ(requests.size(), 3U);
  const std::string check = requests[2].messages.at(0).text;
  EXPECT_THAT(Prompt(0), HasSubstr("SQL: SELECT count(*) AS n FROM sales.orders\n"));
  EXPECT_THAT(check, HasSubstr("Step 1, count Orders (1 rows):\nSELECT count(*) AS n FROM "
                               "sales.orders"));
  for (const std::string& prompt : {Prompt(0), requests[2].system, check})
    EXPECT_THAT(prompt, Not(HasSubstr("ordrs")));
}

TEST_F(Analysing, ARunThatDoesNotVerifyKeepsNoVerdict) {
  Verify();
  run_.verifies = false;
  ASSERT_THAT(Go({{Reply(Insight("right", 42, "1"))}, {Reply("")}}), IsOk());
  EXPECT_EQ(run_.analysis.insights.at(0).status, "");
}

TEST_F(Analysing, WhatBrokeOffGoesOnWithoutAskingAgain) {
  Verify();
  const ScriptedTurn cap{"", Error(ErrorKind::MoneyCap, "too dear")};
  EXPECT_THAT(Go({{Reply(Insight("right", 42, "1"))}, cap}), IsError(ErrorKind::MoneyCap));
  EXPECT_EQ(run_.analysis.areas.size(), 1U);
  ASSERT_THAT(Go({{Reply("")}, {check_}}), IsOk());
  EXPECT_EQ(model_->Requests().size(), 2U);
  EXPECT_THAT(Prompt(0), HasSubstr("carts"));
  EXPECT_EQ(run_.analysis.insights.at(0).status, "confirmed");
  ASSERT_THAT(Go({}), IsOk());
  EXPECT_THAT(model_->Requests(), IsEmpty());
}

// What to do about insights.
class Recommending : public Analysing {
 protected:
  Recommending() {
    pack_.recommendations = *TemplateText::Parse(
        "Propose.\n{{#PROFILE}}Known: {{PROFILE}}\n{{/PROFILE}}{{INSIGHTS}}", "r");
    pack_.areas.resize(1);
    Verify();
  }
  static std::string Proposal(const std::string& title, int priority, const std::string& ids) {
    return fmt::format(
        R"({{"title":"{}","description":"because","priority":{},"related_insight_ids":[{}],"actions":["do it"]}})",
        title, priority, ids);
  }
  static std::string Proposals(const std::string& list) {
    return "Well: {\"recommendations\":[" + list + "]}";
  }
  const ScriptedTurn right_{Reply(Insight("right", 42, "1"))};
};

TEST_F(Recommending, TheInsightsThatHoldAreShownAndWhatRestsOnThemIsKept) {
  options_.profile = R"({"currency":"EUR"})";
  ASSERT_THAT(
      Go({{Reply(Insight("right", 42, "1") + "," + Insight("wrong", 50, "1") + "," +
                 Insight("absurd", -42, "1"))},
          {check_},
          {check_},
          {check_},
          {check_},
          {check_},
          {Proposals(Proposal("later", 2, R"("orders-1","made-up")") + "," +
                     Proposal("first", 1, R"("orders-2")") + "," +
                     Proposal("of nothing", 1, R"("orders-3")") + R"(,{"title":"bare"},7)")}}),
      IsOk());
  ASSERT_EQ(run_.analysis.insights.at(2).status, "rejected");
  const std::string prompt = model_->Requests().back().system;
  EXPECT_THAT(prompt, HasSubstr("- orders-1: right"));
  EXPECT_THAT(prompt, HasSubstr("The right number is 42."));
  EXPECT_THAT(prompt, HasSubstr(R"(Known: {"currency":"EUR"})"));
  EXPECT_THAT(prompt, Not(HasSubstr("absurd")));
  const auto& kept = run_.analysis.recommendations;
  EXPECT_EQ(kept.status, "done");
  ASSERT_EQ(kept.list.size(), 2U);
  EXPECT_EQ(kept.list[0].title, "first");
  EXPECT_THAT(kept.list[1].insights, ElementsAre("orders-1"));
  EXPECT_THAT(kept.list[1].actions, ElementsAre("do it"));
  EXPECT_EQ(kept.dropped, 3);
  explore::RunRecord back;
  ASSERT_THAT(explore::ReadProgress(explore::ProgressOf(run_), back), IsOk());
  EXPECT_EQ(explore::ProgressOf(back), explore::ProgressOf(run_));
}

TEST_F(Recommending, NothingIsAskedWhereNoInsightHolds) {
  ASSERT_THAT(Go({{Reply(Insight("absurd", -42, "1"))}, {check_}, {check_}}), IsOk());
  EXPECT_EQ(run_.analysis.recommendations.status, "no_insights");
}

TEST_F(Recommending, InsightsOfARunThatDoesNotVerifyAreAllShown) {
  run_.verifies = false;
  ASSERT_THAT(
      Go({{Reply(Insight("absurd", -42, "1"))}, {Proposals(Proposal("so", 1, R"("orders-1")"))}}),
      IsOk());
  EXPECT_EQ(run_.analysis.recommendations.list.size(), 1U);
}

TEST_F(Recommending, AReplyThatCannotBeReadTwiceEndsNothing) {
  ASSERT_THAT(Go({right_, {check_}, {"prose"}, {"{}"}}), IsOk());
  EXPECT_EQ(run_.analysis.recommendations.status, "failed");
  EXPECT_THAT(run_.analysis.recommendations.why, HasSubstr("recommendations"));
  ASSERT_THAT(Go({}), IsOk());
}

TEST_F(Recommending, WhatBrokeOffIsAskedForWhenTheRunIsTakenUp) {
  const ScriptedTurn cap{"", Error(ErrorKind::MoneyCap, "too dear")};
  EXPECT_THAT(Go({right_, {check_}, cap}), IsError(ErrorKind::MoneyCap));
  ASSERT_THAT(Go({{Proposals(Proposal("so", 1, R"("orders-1")"))}}), IsOk());
  EXPECT_EQ(run_.analysis.recommendations.list.size(), 1U);
}

TEST_F(Recommending, NoMoreAreKeptThanMayBe) {
  std::string list;
  for (std::size_t i = 0; i <= explore::kRecommendationsMax; ++i)
    list += (list.empty() ? "" : ",") + Proposal("one", 1, R"("orders-1")");
  ASSERT_THAT(Go({right_, {check_}, {Proposals(list)}}), IsOk());
  EXPECT_EQ(run_.analysis.recommendations.list.size(), explore::kRecommendationsMax);
  EXPECT_EQ(run_.analysis.recommendations.dropped, 1);
}

TEST_F(Recommending, InsightsThatDoNotFitAreLeftOutAndCounted) {
  run_.verifies = false;
  info_.window_tokens = 3'500;
  std::string words, many;
  for (int i = 0; i < 70; ++i) words += "one ";
  for (int i = 0; i < 20; ++i) many += (many.empty() ? "" : ",") + Insight(words, 42, "1");
  ASSERT_THAT(Go({{Reply(many)}, {Proposals(Proposal("so", 1, R"("orders-1")"))}}), IsOk());
  EXPECT_GT(run_.analysis.recommendations.insights_left_out, 0);
  const llm::Request request = model_->Requests().back();
  EXPECT_LE(llm::EstimateTokens(request) + request.output_tokens_max, info_.window_tokens);
}

TEST_F(Analysing, AnotherStepMakesItAnew) {
  ASSERT_THAT(Go({{Reply(Insight("right", 42, "1"))}, {Reply("")}}), IsOk());
  steps_.push_back(Query(5, "more orders", "SELECT 5 AS n"));
  ASSERT_THAT(Go({{Reply("")}, {Reply("")}}), IsOk());
  EXPECT_THAT(run_.analysis.insights, IsEmpty());
}

TEST_F(Analysing, IsReadBackFromItsJsonAsItWas) {
  Verify();
  ASSERT_THAT(Go({{Reply(Insight("right", 42, "1"))}, {Reply("")}, {check_}}), IsOk());
  explore::RunRecord back;
  ASSERT_THAT(explore::ReadProgress(explore::ProgressOf(run_), back), IsOk());
  EXPECT_EQ(explore::ProgressOf(back), explore::ProgressOf(run_));
  EXPECT_EQ(back.analysis.insights.at(0).status, "confirmed");
}

TEST_F(Analysing, ASaveThatFailsEndsIt) {
  save_ = [](explore::RunRecord&) -> Status { return Error(ErrorKind::Cancelled, "cancelled"); };
  EXPECT_THAT(Go({{Reply("")}, {Reply("")}}), IsError(ErrorKind::Cancelled));
}

}  // namespace
}  // namespace schemaward::analysis
