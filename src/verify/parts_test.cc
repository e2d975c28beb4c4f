// Evidence, proofs and files, each alone.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "verify/evidence.h"
#include "verify/insight.h"
#include "verify/limits.h"
#include "verify/proof.h"
#include "verify/validation.h"

namespace schemaward::verify {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Evidence, KeepsTheOrderOfTheCitationAndDropsTheLowestStepFirst) {
  std::vector<SourceStep> steps;
  for (std::int64_t i = 1; i <= 4; ++i) steps.push_back({i, "", std::string(100, 'x'), "", 1});
  EXPECT_THAT(RenderEvidence(steps, {3, 1, 3, 2}, 1'000).steps, ElementsAre(3, 1, 2));
  const Evidence cut = RenderEvidence(steps, {3, 1, 4, 2}, 300);
  EXPECT_THAT(cut.steps, ElementsAre(3, 4));
  EXPECT_THAT(cut.left_out, ElementsAre(1, 2));
  EXPECT_THAT(cut.text, HasSubstr("no room for steps 1, 2"));
  EXPECT_THAT(RenderEvidence(steps, {9}, 300).without, ElementsAre(9));
}

TEST(Proof, AStatementMustComputeTheNumber) {
  struct Case {
    const char* sql;
    bool proves;
  };
  const explore::Number claim = *explore::Number::Read("500");
  for (const Case& c :
       std::vector<Case>{{"SELECT count(*) FROM t", true},
                         {"SELECT count(*) FROM t WHERE x > 500 LIMIT 500", true},
                         {"SELECT sum(CASE WHEN x = 500 THEN 1 ELSE 0 END) FROM t", true},
                         {"SELECT count(*) FILTER (WHERE x = 500) FROM t", true},
                         {"SELECT 500", false},
                         {"SELECT count(*)", false},
                         {"SELECT 500 FROM t", false},
                         {"SELECT (500) FROM t", false},
                         {"SELECT '500' FROM t", false},
                         {"SELECT 500.0 FROM t", false},
                         {"SELECT abs(500) FROM t", false},
                         {"SELECT max(500) FROM t", false},
                         {"SELECT count(*) * 0 + 500 FROM t", false},
                         {"WITH w AS (SELECT 500 AS n) SELECT n FROM w", false},
                         {"SELECT n FROM (VALUES (500)) v, t", false},
                         {"SELECT (SELECT 500) FROM t", false}})
    EXPECT_EQ(WhyNoProof(c.sql, claim).empty(), c.proves) << c.sql;
}

TEST(Insights, AreReadWithTheStepsOfARun) {
  const auto file = ReadInsights(
      R"({"status":"completed","steps":[{"step":2,"action":{"query":"SELECT x","query_purpose":"all"},
      "statement":"SELECT \"x\"","rows":3,"error":""}],
      "insights":[{"id":"a","analysis_area":"sales","name":"n","description":"d","affected_count":12,
      "source_steps":[2],"extra":1},{"name":"m","affected_count":"0.50"},{"name":"o"}]})");
  ASSERT_THAT(file, IsOk());
  EXPECT_EQ(file->steps.at(0).purpose, "all");
  EXPECT_EQ(file->steps.at(0).statement, "SELECT \"x\"");
  EXPECT_EQ(file->insights.at(0).claimed, "12");
  EXPECT_THAT(file->insights.at(0).source_steps, ElementsAre(2));
  EXPECT_EQ(file->insights.at(1).id, "2");
  EXPECT_EQ(file->insights.at(1).claimed, "0.50");
  EXPECT_FALSE(file->insights.at(2).claimed);
}

TEST(Insights, WhatIsNotOneIsNamed) {
  struct Case {
    const char* json;
    const char* why;
  };
  for (const Case& c : std::vector<Case>{
           {"[", "byte"},
           {"{}", "\"insights\" is not a list"},
           {R"({"insights":[1]})", "insight 0: it is not an object"},
           {R"({"insights":[{}]})", "neither a name nor a description"},
           {R"({"insights":[{"name":1}]})", "\"name\" is not a text"},
           {R"({"insights":[{"name":"n","affected_count":"many"}]})", "is not a number"},
           {R"({"insights":[{"name":"n","affected_count":true}]})", "is not a number"},
           {R"({"insights":[{"name":"n","source_steps":[-1]}]})", "the number of a step"},
           {R"({"insights":[{"name":"n","source_steps":3}]})", "is not a list"},
           {R"({"steps":[{"step":"x"}],"insights":[]})", "step 0"}}) {
    const auto file = ReadInsights(c.json);
    ASSERT_THAT(file, IsError(ErrorKind::InputUnreadable)) << c.json;
    EXPECT_THAT(file.error().message(), HasSubstr(c.why));
  }
}

TEST(Insights, AreBounded) {
  std::string list;
  for (std::size_t i = 0; i <= kInsightsMax; ++i)
    list += (i == 0 ? "" : ",") + std::string(R"({"name":"n"})");
  EXPECT_THAT(ReadInsights("{\"insights\":[" + list + "]}"), IsError(ErrorKind::ByteCap));
  EXPECT_THAT(
      ReadInsights(R"({"insights":[{"name":")" + std::string(kTextBytesMax + 1, 'x') + "\"}]}"),
      IsError(ErrorKind::ByteCap));
}

TEST(Validation, IsWrittenWithItsReasons) {
  Validation verdict;
  verdict.status = ValidationStatus::Adjusted;
  verdict.reasons = {"two queries gave 42"};
  verdict.claimed = "43";
  verdict.verified = "42";
  Insight insight;
  insight.id = "a";
  const std::string json = ToJson(insight, verdict);
  EXPECT_THAT(json, HasSubstr(R"("insight_id":"a")"));
  EXPECT_THAT(json, HasSubstr(R"("status":"adjusted")"));
  EXPECT_THAT(json, HasSubstr(R"("verified":"42")"));
}

}  // namespace
}  // namespace schemaward::verify
