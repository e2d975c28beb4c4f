#include "verify/verifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/result_matchers.h"
#include "explore/fake_warehouse.h"
#include "llm/metered.h"
#include "llm/scripted.h"
#include "llm/tokens.h"
#include "verify/limits.h"

namespace schemaward::verify {
namespace {

using explore::QueryResult;
using llm::ScriptedLlm;
using llm::ScriptedTurn;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kRight = "SELECT count(*) AS verified FROM sales.orders";
constexpr const char* kOther = "SELECT count(id) AS verified FROM sales.orders";
constexpr const char* kNone = "SELECT count(*) AS verified FROM sales.gone";
constexpr const char* kRepairPrompt =
    "MEND {{SCHEMA_INFO}}{{ORIGINAL_SQL}}{{ERROR_MESSAGE}}{{#VERIFICATION_CONTEXT}}EVIDENCE "
    "{{VERIFICATION_CONTEXT}}{{/VERIFICATION_CONTEXT}}";

std::string Query(const std::string& sql) { return R"({"query":")" + sql + "\"}"; }

class Verifying : public ::testing::Test {
 protected:
  Verifying() {
    warehouse_.Add("sales.orders", {"id", "total"}, 42);
    warehouse_.Add("sales.customers", {"id", "city"}, 7);
    Gives(kRight, std::int64_t{42});
    Gives(kOther, std::int64_t{42});
    Gives(kNone, std::int64_t{0});
    insight_.id = "i1";
    insight_.name = "orders";
    insight_.description = "there are many orders";
    insight_.claimed = "42";
    options_.dialect = "PostgreSQL";
  }

  void Gives(const std::string& sql, const explore::Cell& cell) {
    QueryResult result;
    result.columns = {{"verified"}};
    result.rows = {{cell}};
    result.statement = sql;
    warehouse_.results[sql] = result;
  }

  Result<Validation> Verify(std::vector<ScriptedTurn> turns) {
    model_ = std::make_unique<ScriptedLlm>(llm::ModelInfo{"scripted", "test", window_, 2'000},
                                           std::move(turns));
    return verify::Verify(insight_, steps_, options_, warehouse_, *model_, ctx_);
  }
  Validation Verdict(std::vector<ScriptedTurn> turns) {
    auto validation = Verify(std::move(turns));
    EXPECT_THAT(validation, IsOk());
    return validation ? *std::move(validation) : Validation{};
  }
  std::string Prompt(std::size_t n) const { return model_->Requests().at(n).messages.at(0).text; }
  std::size_t calls() const { return model_->Requests().size(); }
  void Cite(std::int64_t number, const std::string& statement, const std::string& error = "") {
    steps_.push_back({number, "count", statement, error, 1});
    insight_.source_steps.push_back(number);
  }

  FakeClock clock_;
  CallContext ctx_{clock_};
  explore::FakeWarehouse warehouse_;
  std::vector<SourceStep> steps_;
  Insight insight_;
  VerifyOptions options_;
  std::int64_t window_ = 64'000;
  std::unique_ptr<ScriptedLlm> model_;
};

const ScriptedTurn right{Query(kRight)};
const ScriptedTurn orders_lookup{R"({"lookup_schema":["sales.orders"]})"};
const ScriptedTurn customers_lookup{R"({"lookup_schema":["customers"]})"};
const ScriptedTurn prose{"I think there are 42, SELECT or not."};
const ScriptedTurn done{R"({"done":true,"summary":"42"})"};

// Verdicts.

TEST_F(Verifying, ANumberThatIsFoundAgainIsConfirmed) {
  const Validation verdict = Verdict({right});
  EXPECT_EQ(verdict.status, ValidationStatus::Confirmed);
  EXPECT_EQ(verdict.verified, "42");
  EXPECT_EQ(verdict.statement, kRight);
  EXPECT_EQ(verdict.rounds, 1);
  EXPECT_THAT(verdict.reasons, ElementsAre("a query gave 42"));
}

TEST_F(Verifying, AnotherNumberOfTwoQueriesAdjustsAndTheClaimIsKept) {
  insight_.claimed = "43";
  const Validation verdict = Verdict({right, {Query(kOther)}});
  EXPECT_EQ(verdict.status, ValidationStatus::Adjusted);
  EXPECT_EQ(verdict.claimed, "43");
  EXPECT_EQ(verdict.verified, "42");
  EXPECT_THAT(Prompt(1), HasSubstr("It gave 42, which is not what is claimed"));
}

TEST_F(Verifying, ThereIsNoBandAroundANumber) {
  for (const char* claim : {"41", "50", "34", "42.1"}) {
    insight_.claimed = claim;
    EXPECT_EQ(Verdict({right, right}).status, ValidationStatus::Adjusted) << claim;
  }
}

TEST_F(Verifying, NothingWhereSomethingIsClaimedIsRejected) {
  EXPECT_EQ(Verdict({{Query(kNone)}, {Query(kNone)}}).status, ValidationStatus::Rejected);
}

TEST_F(Verifying, ANumberOfTheOtherSignIsRejected) {
  insight_.claimed = "-42";
  EXPECT_EQ(Verdict({right, right}).status, ValidationStatus::Rejected);
}

TEST_F(Verifying, AZeroClaimIsCheckedLikeAnyOther) {
  insight_.claimed = "0";
  EXPECT_EQ(Verdict({{Query(kNone)}}).status, ValidationStatus::Confirmed);
  EXPECT_EQ(Verdict({right, right}).status, ValidationStatus::Rejected);
  EXPECT_EQ(calls(), 2U);
}

TEST_F(Verifying, QueriesThatDisagreeDecideNothing) {
  insight_.claimed = "43";
  Gives("SELECT count(*) + 1 AS verified FROM sales.orders", std::int64_t{43});
  const Validation verdict =
      Verdict({right, {Query("SELECT count(*) + 1 AS verified FROM sales.orders")}});
  EXPECT_EQ(verdict.status, ValidationStatus::Unverifiable);
  EXPECT_THAT(verdict.reasons[0], HasSubstr("two queries disagree: 42 and 43"));
  EXPECT_FALSE(verdict.verified);
}

TEST_F(Verifying, OneContradictionAloneDecidesNothing) {
  insight_.claimed = "43";
  for (const ScriptedTurn& second :
       {prose, done, orders_lookup, ScriptedTurn{Query("SELECT broken FROM sales.orders")}})
    EXPECT_EQ(Verdict({right, second}).status, ValidationStatus::Unverifiable) << second.text;
}

TEST_F(Verifying, AnInsightWithoutANumberAsksNoModel) {
  insight_.claimed.reset();
  EXPECT_EQ(Verdict({}).status, ValidationStatus::Unverifiable);
  EXPECT_EQ(calls(), 0U);
}

TEST_F(Verifying, NumbersAreReadByTypeAndNeverInvented) {
  struct Case {
    const char* name;
    explore::Cell cell;
    ValidationStatus status;
  };
  for (const Case& c :
       std::vector<Case>{{"decimal text", std::string("42.00"), ValidationStatus::Confirmed},
                         {"real", 42.0, ValidationStatus::Confirmed},
                         {"null", std::monostate(), ValidationStatus::Unverifiable},
                         {"boolean", true, ValidationStatus::Unverifiable},
                         {"words", std::string("forty-two"), ValidationStatus::Unverifiable}}) {
    Gives(kRight, c.cell);
    std::vector<ScriptedTurn> turns(kRoundsMax + 1, right);
    EXPECT_EQ(Verdict(turns).status, c.status) << c.name;
  }
}

TEST_F(Verifying, AResultOfMoreThanOneNumberIsToldAndAskedForAgain) {
  QueryResult rows;
  rows.columns = {{"a"}, {"b"}};
  rows.rows = {{std::int64_t{1}, std::int64_t{42}}};
  warehouse_.results["SELECT a, b FROM sales.orders"] = rows;
  EXPECT_EQ(Verdict({{Query("SELECT a, b FROM sales.orders")}, right}).status,
            ValidationStatus::Confirmed);
  EXPECT_THAT(Prompt(1), HasSubstr("several columns and none is called verified"));
}

TEST_F(Verifying, AQueryThatHoldsItsAnswerProvesNothing) {
  const Validation verdict = Verdict({{Query("SELECT 42 AS verified FROM sales.orders")}, right});
  EXPECT_EQ(verdict.status, ValidationStatus::Confirmed);
  EXPECT_THAT(warehouse_.queries, ElementsAre(kRight));
  EXPECT_THAT(Prompt(1), HasSubstr("selects the claimed number itself"));
  insight_.claimed = "43";
  std::vector<ScriptedTurn> cheats(kRoundsMax + 1,
                                   {Query("SELECT 43 AS verified FROM sales.orders")});
  EXPECT_EQ(Verdict(cheats).status, ValidationStatus::Unverifiable);
}

// Layer 1: what the cited steps ran.

TEST_F(Verifying, CitedStatementsThatRanAreTheEvidence) {
  Cite(3, "SELECT total FROM sales.orders");
  Verdict({right});
  EXPECT_THAT(Prompt(0), HasSubstr("Step 3, count (1 rows):\nSELECT total FROM sales.orders"));
  EXPECT_THAT(warehouse_.searches, IsEmpty());
}

TEST_F(Verifying, FailedStepsAndOnesThatAreNotThereAreNoEvidence) {
  Cite(3, "SELECT totl FROM sales.orders", "no column");
  insight_.source_steps.push_back(9);
  insight_.claimed = "43";
  const Validation verdict = Verdict({right, right});
  EXPECT_THAT(Prompt(0), Not(HasSubstr("totl")));
  EXPECT_THAT(verdict.reasons.back(), HasSubstr("2 of the cited steps ran no statement"));
}

// Layer 2: whoever mends sees the same.

TEST_F(Verifying, TheRepairerSeesEvidenceAndLookups) {
  options_.repair_prompt = *TemplateText::Parse(kRepairPrompt, "prompt");
  Cite(3, "SELECT total FROM sales.orders");
  const Validation verdict =
      Verdict({customers_lookup, {Query("SELECT count(idd) FROM sales.orders")}, right});
  EXPECT_EQ(verdict.status, ValidationStatus::Confirmed);
  EXPECT_EQ(verdict.repairs, 1);
  EXPECT_EQ(verdict.query, "SELECT count(idd) FROM sales.orders");
  EXPECT_EQ(verdict.statement, kRight);
  const std::string mend = model_->Requests().at(2).system;
  EXPECT_THAT(mend, StartsWith("MEND"));
  EXPECT_THAT(mend, HasSubstr("EVIDENCE"));
  EXPECT_THAT(mend, HasSubstr("SELECT total FROM sales.orders"));
  EXPECT_THAT(mend, HasSubstr("Table sales.customers"));
}

TEST_F(Verifying, ARewriteThatHoldsTheAnswerProvesNothing) {
  options_.repair_prompt = *TemplateText::Parse(kRepairPrompt, "prompt");
  Gives("SELECT 42 FROM sales.orders", std::int64_t{42});
  const Validation verdict = Verdict({{Query("SELECT count(idd) FROM sales.orders")},
                                      {Query("SELECT 42 FROM sales.orders")},
                                      right});
  EXPECT_EQ(verdict.status, ValidationStatus::Confirmed);
  EXPECT_EQ(verdict.rounds, 2);
}

// Layer 3: its own lookups.

TEST_F(Verifying, LooksUpThenAsks) {
  const Validation verdict = Verdict({orders_lookup, right});
  EXPECT_EQ(verdict.status, ValidationStatus::Confirmed);
  EXPECT_EQ(verdict.rounds, 2);
  EXPECT_EQ(verdict.lookups, 1);
  EXPECT_THAT(Prompt(1), HasSubstr("Looked up:\nTable sales.orders"));
}

TEST_F(Verifying, EvidenceStandsBeforeLookups) {
  Cite(3, "SELECT total FROM sales.orders");
  Verdict({customers_lookup, right});
  EXPECT_LT(Prompt(1).find("SELECT total"), Prompt(1).find("Table sales.customers"));
}

TEST_F(Verifying, AnInsightWithoutStepsStartsFromTheNearestTables) {
  insight_.name = "orders";
  insight_.description.clear();
  insight_.claimed_metric.clear();
  Verdict({orders_lookup, right});
  EXPECT_EQ(warehouse_.searches.size(), 1U);
  EXPECT_EQ(warehouse_.searches[0].second, kHintsMax);
}

TEST_F(Verifying, WithoutAProviderItIsOneShotFromTheCatalog) {
  options_.may_look_up = false;
  EXPECT_EQ(Verdict({right}).status, ValidationStatus::Confirmed);
  EXPECT_EQ(calls(), 1U);
  EXPECT_THAT(Prompt(0), HasSubstr("sales.orders|2c|42 rows"));
  EXPECT_THAT(model_->Requests()[0].system, Not(HasSubstr("lookup_schema")));
  EXPECT_EQ(Verdict({orders_lookup}).status, ValidationStatus::Error);
  EXPECT_THAT(warehouse_.lookups, IsEmpty());
}

TEST_F(Verifying, SixRoundsOfLookupsAndOneForcedRoundThatIsNotCounted) {
  std::vector<ScriptedTurn> turns(kRoundsMax, orders_lookup);
  turns.push_back(right);
  const Validation verdict = Verdict(turns);
  EXPECT_EQ(verdict.status, ValidationStatus::Confirmed);
  EXPECT_EQ(verdict.rounds, kRoundsMax);
  EXPECT_TRUE(verdict.was_forced);
  EXPECT_THAT(Prompt(kRoundsMax - 1), HasSubstr("Rounds left: 1."));
  EXPECT_THAT(Prompt(kRoundsMax), HasSubstr("This is the last reply"));
}

TEST_F(Verifying, NoQueryAfterTheForcedRoundIsAnErrorAndCounted) {
  for (const ScriptedTurn& last : {orders_lookup, prose, done}) {
    std::vector<ScriptedTurn> turns(kRoundsMax, orders_lookup);
    turns.push_back(last);
    const Validation verdict = Verdict(turns);
    EXPECT_EQ(verdict.status, ValidationStatus::Error) << last.text;
    EXPECT_TRUE(verdict.budget_exhausted);
    Counters counters;
    counters.Count(verdict);
    EXPECT_EQ(counters, (Counters{.error = 1, .verification_budget_exhausted = 1}));
    EXPECT_EQ(calls(), static_cast<std::size_t>(kRoundsMax) + 1);
  }
}

TEST_F(Verifying, OnlyLookupsAndQueriesAreTaken) {
  for (const ScriptedTurn& other : {done, ScriptedTurn{R"({"search_tables":"orders"})"},
                                    ScriptedTurn{R"({"name":"complete","input":{}})"}}) {
    EXPECT_EQ(Verdict({other, right}).rounds, 2) << other.text;
    EXPECT_THAT(Prompt(1), HasSubstr("is not allowed here"));
    EXPECT_THAT(Prompt(1), Not(HasSubstr("\"done\": true")));
  }
}

// The table of error paths, where it concerns a verification.

TEST_F(Verifying, AllAlreadyShownIsNotChargedAndSaysSo) {
  const Validation verdict = Verdict({orders_lookup, {R"({"lookup_schema":["ORDERS"]})"}, right});
  EXPECT_EQ(verdict.lookups, 1);
  EXPECT_EQ(warehouse_.lookups.size(), 1U);
  EXPECT_THAT(Prompt(2), HasSubstr("were shown before"));
}

TEST_F(Verifying, NoNamesIsAHintAndNotCharged) {
  const Validation verdict = Verdict({{R"({"lookup_schema":[" "]})"}, right});
  EXPECT_EQ(verdict.lookups, 0);
  EXPECT_THAT(Prompt(1), HasSubstr("Name at least one table"));
}

TEST_F(Verifying, UnknownNamesAreToldWithNearOnesAndNotFatal) {
  const Validation verdict = Verdict({{R"({"lookup_schema":["sales.ordrs"]})"}, right});
  EXPECT_EQ(verdict.status, ValidationStatus::Confirmed);
  EXPECT_THAT(Prompt(1), HasSubstr("Not found: sales.ordrs (nearest: sales.orders)"));
}

TEST_F(Verifying, MoreThanTenNamesShowTheFirstTenAndNameTheOthers) {
  std::string names;
  for (int i = 0; i < 12; ++i) {
    const std::string name = "s.t" + std::to_string(i);
    warehouse_.Add(name, {"x"});
    names += (names.empty() ? "\"" : ",\"") + name + "\"";
  }
  EXPECT_EQ(Verdict({{"{\"lookup_schema\":[" + names + "]}"}, right}).lookups, 1);
  EXPECT_THAT(Prompt(1), HasSubstr("Not shown: s.t10, s.t11"));
}

TEST_F(Verifying, ALookupThatFailsIsToldAndTheNextRoundFollows) {
  warehouse_.failure = Error(ErrorKind::StoreLocked, "the store is locked");
  const Validation verdict = Verdict(std::vector<ScriptedTurn>(kRoundsMax + 1, orders_lookup));
  EXPECT_EQ(verdict.status, ValidationStatus::Error);
  EXPECT_THAT(Prompt(1), HasSubstr("The lookup failed: the store is locked"));
}

TEST_F(Verifying, AQueryThatFailsIsToldAndAskedForAgain) {
  const Validation verdict = Verdict({{Query("SELECT bad FROM sales.orders")}, right});
  EXPECT_EQ(verdict.status, ValidationStatus::Confirmed);
  EXPECT_THAT(Prompt(1), HasSubstr("has no column \"c\""));
  const Validation never =
      Verdict(std::vector<ScriptedTurn>(kRoundsMax + 1, {Query("SELECT bad FROM sales.orders")}));
  EXPECT_EQ(never.status, ValidationStatus::Error);
  EXPECT_FALSE(never.budget_exhausted);
}

TEST_F(Verifying, WhatThePolicyRefusesIsToldAndNotMended) {
  options_.repair_prompt = *TemplateText::Parse(kRepairPrompt, "prompt");
  warehouse_.failure = Error(ErrorKind::PolicyBlocked, "rows of other tenants are not read");
  Verdict(std::vector<ScriptedTurn>(kRoundsMax + 1, right));
  EXPECT_THAT(Prompt(1), HasSubstr("rows of other tenants"));
  EXPECT_EQ(calls(), static_cast<std::size_t>(kRoundsMax) + 1);
}

TEST_F(Verifying, ADatabaseThatIsAwayEndsTheInsightAtOnce) {
  warehouse_.failure = Error(ErrorKind::SourceUnreachable, "the source does not answer");
  EXPECT_EQ(Verdict({right, right}).status, ValidationStatus::Error);
  EXPECT_EQ(calls(), 1U);
}

TEST_F(Verifying, UnparsableRepliesTakeRoundsAndAreBounded) {
  const Validation verdict = Verdict({prose, {R"({"query":"SELECT)"}, {"[]"}, right});
  EXPECT_EQ(verdict.status, ValidationStatus::Confirmed);
  EXPECT_EQ(verdict.rounds, 4);
  EXPECT_TRUE(Verdict(std::vector<ScriptedTurn>(kRoundsMax + 1, prose)).budget_exhausted);
}

TEST_F(Verifying, ProseWithASelectIsNeverRun) {
  Verdict(std::vector<ScriptedTurn>(kRoundsMax + 1, {kRight}));
  EXPECT_THAT(warehouse_.queries, IsEmpty());
}

TEST_F(Verifying, TheForcedRoundTakesAnObjectAndNotItsText) {
  std::vector<ScriptedTurn> turns(kRoundsMax, prose);
  turns.push_back({"Here it is: ```json\n" + Query(kRight) + "\n```"});
  EXPECT_EQ(Verdict(turns).status, ValidationStatus::Confirmed);
  EXPECT_THAT(warehouse_.queries, Each(kRight));
}

// What ends a run.

TEST_F(Verifying, AModelThatIsAwayEndsAllAndKeepsWhatWasDone) {
  ScriptedLlm model({"scripted", "test", window_, 2'000},
                    {right, {"", Error(ErrorKind::SourceUnreachable, "the model is away")}});
  const Verified verified =
      VerifyAll({steps_, {insight_, insight_, insight_}}, options_, warehouse_, model, {}, ctx_);
  EXPECT_EQ(verified.validations.size(), 1U);
  EXPECT_EQ(verified.counters.confirmed, 1);
  EXPECT_EQ(verified.error->kind(), ErrorKind::SourceUnreachable);
}

TEST_F(Verifying, ACapOfMoneyEndsAll) {
  auto script = std::make_shared<ScriptedLlm>(llm::ModelInfo{"scripted", "test", window_, 2'000},
                                              std::vector<ScriptedTurn>(9, right));
  llm::MeteredLlm model(script, {.price = llm::Price{1, 1, 1, 1}, .cost_max = 1});
  EXPECT_THAT(verify::Verify(insight_, steps_, options_, warehouse_, model, ctx_),
              IsError(ErrorKind::MoneyCap));
}

TEST_F(Verifying, ACancelledCallEndsAll) {
  std::stop_source stop;
  stop.request_stop();
  ctx_.stop = stop.get_token();
  EXPECT_THAT(Verify({right}), IsError(ErrorKind::Cancelled));
}

// Prompts.

TEST_F(Verifying, NoPromptOutgrowsASmallWindow) {
  window_ = 12'000;
  for (int i = 1; i <= 40; ++i) Cite(i, "SELECT " + std::string(2'000, 'x') + " FROM sales.orders");
  std::vector<ScriptedTurn> turns;
  for (int i = 0; i < kRoundsMax; ++i) {
    std::vector<std::string> columns;
    for (int c = 0; c < 60; ++c) columns.push_back("a_long_name_of_a_column_" + std::to_string(c));
    std::string names;
    for (int t = 0; t < 10; ++t) {
      const std::string name = "s.t" + std::to_string(i) + "_" + std::to_string(t);
      warehouse_.Add(name, columns);
      names += (names.empty() ? "\"" : ",\"") + name + "\"";
    }
    turns.push_back({"{\"lookup_schema\":[" + names + "]}"});
  }
  turns.push_back(right);
  EXPECT_EQ(Verdict(turns).status, ValidationStatus::Confirmed);
  for (const llm::Request& request : model_->Requests())
    EXPECT_LT(llm::EstimateTokens(request) + request.output_tokens_max, window_);
  EXPECT_THAT(Prompt(0), HasSubstr("There was no room for steps 1, 2"));
}

TEST_F(Verifying, TheWholeCatalogIsInNoPrompt) {
  for (int i = 0; i < 4'000; ++i) warehouse_.Add("big.t" + std::to_string(i), {"x"});
  Verdict({orders_lookup, right});
  for (const llm::Request& request : model_->Requests())
    EXPECT_LT(llm::EstimateTokens(request), 1'500);
}

}  // namespace
}  // namespace schemaward::verify
