// What each action charges, tells and leaves behind: a row of the table of failures is a test.
#include "explore/actions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/result_matchers.h"
#include "explore/digest.h"
#include "explore/fake_warehouse.h"
#include "explore/text.h"

namespace schemaward::explore {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;

Action LookupOf(std::vector<std::string> tables) {
  Action action;
  action.kind = ActionKind::LookupSchema;
  action.tables = std::move(tables);
  return action;
}

Action SearchOf(const std::string& text, std::int64_t hits = 0) {
  Action action;
  action.kind = ActionKind::SearchTables;
  action.search = text;
  action.hits_wanted = hits;
  return action;
}

Action QueryOf(const std::string& sql) {
  Action action;
  action.kind = ActionKind::QueryData;
  action.query = sql;
  return action;
}

class Actions : public ::testing::Test {
 protected:
  Actions() {
    warehouse_.Add("sales.orders", {"id", "total"}, 1'200);
    warehouse_.Add("sales.items", {"id"});
    warehouse_.Add("old.orders", {"id"});
    warehouse_.Add("hr.people", {"id"});
    state_.limits.lookups.calls_max = 3;
    state_.limits.searches.calls_max = 3;
  }

  Step Do(const Action& action) {
    auto step = CarryOut(state_, action, warehouse_, ctx_);
    EXPECT_THAT(step, IsOk());
    state_.steps.push_back(*step);
    return *std::move(step);
  }

  FakeClock clock_;
  CallContext ctx_{clock_};
  FakeWarehouse warehouse_;
  State state_;
};

TEST_F(Actions, ALookupShowsColumnsAndTheBudget) {
  const Step step = Do(LookupOf({"sales.orders"}));
  EXPECT_EQ(step.error, "");
  EXPECT_THAT(step.observation, HasSubstr("Table sales.orders (1.2K rows)\n- id integer NULL\n"));
  EXPECT_THAT(step.observation, HasSubstr("No sample rows are kept."));
  EXPECT_THAT(step.observation, HasSubstr("used: 1 of 3, 2 left"));
  EXPECT_EQ(state_.lookups_used, 1);
  EXPECT_EQ(state_.counters.schema_lookup_calls, 1);
}

TEST_F(Actions, NamesAreMadeCanonicalBeforeTheyAreComparedWithWhatWasShown) {
  Do(LookupOf({"sales.items"}));
  const Step step = Do(LookupOf({"ITEMS", " `sales.items` ", "\"Sales.Items\""}));
  EXPECT_EQ(step.error, "");
  EXPECT_THAT(step.observation, HasSubstr("shown before"));
  EXPECT_EQ(state_.lookups_used, 1);
  EXPECT_EQ(warehouse_.lookups.size(), 1U);
  EXPECT_EQ(state_.counters.schema_lookup_calls, 2);
}

TEST_F(Actions, OneTableInTwoSpellingsIsFetchedOnce) {
  Do(LookupOf({"items", "sales.items"}));
  EXPECT_THAT(warehouse_.lookups, ElementsAre(ElementsAre("sales.items")));
}

TEST_F(Actions, OnlyWhatIsNewIsFetched) {
  Do(LookupOf({"sales.items"}));
  const Step step = Do(LookupOf({"sales.items", "hr.people"}));
  EXPECT_THAT(warehouse_.lookups.back(), ElementsAre("hr.people"));
  EXPECT_THAT(step.observation, HasSubstr("Shown before, use that: sales.items"));
  EXPECT_EQ(state_.lookups_used, 2);
}

TEST_F(Actions, AUsedUpBudgetRefusesEvenWhatWasShown) {
  state_.lookups_used = 3;
  state_.seen.insert("sales.items");
  const Step step = Do(LookupOf({"sales.items"}));
  EXPECT_THAT(step.error, HasSubstr("used up (3 of 3)"));
  EXPECT_THAT(warehouse_.lookups, IsEmpty());
  EXPECT_EQ(state_.lookups_used, 3);
}

TEST_F(Actions, TheLastCallOfABudgetIsMadeAndTheNextIsNot) {
  state_.limits.lookups.calls_max = 1;
  EXPECT_EQ(Do(LookupOf({"hr.people"})).error, "");
  EXPECT_NE(Do(LookupOf({"sales.items"})).error, "");
  EXPECT_EQ(warehouse_.lookups.size(), 1U);
}

TEST_F(Actions, SwitchedOffIsNotUnlimited) {
  state_.limits.lookups = {false, 30};
  state_.limits.searches = {false, 30};
  EXPECT_THAT(Do(LookupOf({"hr.people"})).observation, HasSubstr("not available"));
  EXPECT_THAT(Do(SearchOf("x")).observation, HasSubstr("not available"));
  EXPECT_THAT(warehouse_.lookups, IsEmpty());
  EXPECT_THAT(warehouse_.searches, IsEmpty());
}

TEST_F(Actions, ABudgetOfNoneIsUsedUp) {
  state_.limits.lookups.calls_max = 0;
  EXPECT_THAT(Do(LookupOf({"hr.people"})).error, HasSubstr("0 of 0"));
}

TEST_F(Actions, NoNameIsAFailureThatCostsNothing) {
  const Step step = Do(LookupOf({" ", "``"}));
  EXPECT_NE(step.error, "");
  EXPECT_THAT(step.observation, HasSubstr("lookup_schema"));
  EXPECT_EQ(state_.lookups_used, 0);
}

TEST_F(Actions, AnUnknownNameIsAnsweredWithTheNearest) {
  const Step step = Do(LookupOf({"sales.ordrs", "hr.people"}));
  EXPECT_EQ(step.error, "");
  EXPECT_THAT(step.observation, HasSubstr("Not found: sales.ordrs (nearest: sales.orders)"));
  EXPECT_THAT(step.observation, HasSubstr("Table hr.people"));
  EXPECT_EQ(state_.lookups_used, 1);
}

TEST_F(Actions, AShortNameThatFitsSeveralIsAnsweredWithThem) {
  const Step step = Do(LookupOf({"orders"}));
  EXPECT_EQ(step.error, "");
  EXPECT_THAT(step.observation, HasSubstr("Not found: orders (several: sales.orders, old.orders)"));
  EXPECT_EQ(state_.lookups_used, 1);
  EXPECT_EQ(step.short_form, "nothing found");
}

TEST_F(Actions, TablesPastTheMostOfOneCallAreNamed) {
  std::vector<std::string> names;
  for (int i = 0; i < 12; ++i) {
    names.push_back("t.t" + std::to_string(i));
    warehouse_.Add(names.back(), {"id"});
  }
  const Step step = Do(LookupOf(names));
  EXPECT_EQ(warehouse_.lookups.back().size(), 10U);
  EXPECT_THAT(step.observation, HasSubstr("Not shown: t.t10, t.t11"));
  EXPECT_EQ(state_.lookups_used, 1);
  EXPECT_FALSE(state_.seen.contains("t.t10"));
}

TEST_F(Actions, WhatWasShownDoesNotCountTowardTheMostOfOneCall) {
  std::vector<std::string> names = {"hr.people"};
  Do(LookupOf(names));
  for (int i = 0; i < 10; ++i) {
    names.push_back("t.t" + std::to_string(i));
    warehouse_.Add(names.back(), {"id"});
  }
  const Step step = Do(LookupOf(names));
  EXPECT_EQ(warehouse_.lookups.back().size(), 10U);
  EXPECT_THAT(step.observation, Not(HasSubstr("Not shown")));
}

TEST_F(Actions, AFailedLookupIsChargedAndTheRunGoesOn) {
  warehouse_.failure = Error(ErrorKind::StoreLocked, "the store is locked");
  const Step step = Do(LookupOf({"hr.people"}));
  EXPECT_EQ(step.error, "the store is locked");
  EXPECT_THAT(step.observation, HasSubstr("used: 1 of 3"));
  EXPECT_EQ(state_.lookups_used, 1);
  EXPECT_FALSE(state_.seen.contains("hr.people"));
}

TEST_F(Actions, ACancelledCallEndsTheRun) {
  std::stop_source stop;
  stop.request_stop();
  ctx_.stop = stop.get_token();
  EXPECT_THAT(CarryOut(state_, LookupOf({"hr.people"}), warehouse_, ctx_),
              IsError(ErrorKind::Cancelled));
  EXPECT_THAT(CarryOut(state_, SearchOf("x"), warehouse_, ctx_), IsError(ErrorKind::Cancelled));
  EXPECT_THAT(CarryOut(state_, QueryOf("SELECT 1"), warehouse_, ctx_),
              IsError(ErrorKind::Cancelled));
}

TEST_F(Actions, AWideTableShowsKeysFirstAndSaysHowManyAreNotShown) {
  TableView table;
  table.name = "w.wide";
  for (int i = 0; i < 60; ++i) table.columns.push_back({"c" + std::to_string(i), "text"});
  table.columns.push_back({"id", "integer", false, "key", true});
  warehouse_.tables.push_back(table);
  const Step step = Do(LookupOf({"w.wide"}));
  EXPECT_THAT(step.observation, HasSubstr("- id integer NOT NULL [key]\n"));
  EXPECT_THAT(step.observation, HasSubstr("- c48 text"));
  EXPECT_THAT(step.observation, Not(HasSubstr("- c49 text")));
  EXPECT_THAT(step.observation, HasSubstr("- and 11 columns more, not shown"));
}

TEST_F(Actions, SampleValuesAreCutBetweenCharacters) {
  TableView table;
  table.name = "t.tr";
  table.columns.push_back({"ad", "text"});
  table.sample_columns = {"ad"};
  const std::string value = std::string(79, 'x') + "\xc5\x9f" + "tail";
  table.samples = {{value}, {std::nullopt}, {"a\n  b"}, {"fourth"}};
  warehouse_.tables.push_back(table);
  const Step step = Do(LookupOf({"t.tr"}));
  EXPECT_THAT(step.observation, HasSubstr("ad=" + std::string(79, 'x') + "...\n"));
  EXPECT_THAT(step.observation, HasSubstr("ad=NULL\nad=a b\n"));
  EXPECT_THAT(step.observation, Not(HasSubstr("fourth")));
}

TEST_F(Actions, ASearchListsHitsAndTheBudget) {
  const Step step = Do(SearchOf("sales"));
  EXPECT_THAT(step.observation, HasSubstr("1. sales.orders (1.2K rows): its name"));
  EXPECT_THAT(step.observation, HasSubstr("2. sales.items (unknown rows)"));
  EXPECT_THAT(step.observation, HasSubstr("used: 1 of 3"));
  EXPECT_EQ(state_.searches_used, 1);
}

TEST_F(Actions, TheHitsOfASearchAreBounded) {
  for (const std::int64_t hits : {0, -5, 1, 30, 31, 1'000'000}) {
    state_.searches_used = 0;
    Do(SearchOf("x", hits));
  }
  EXPECT_THAT(warehouse_.searches, ElementsAre(Pair("x", 10), Pair("x", 10), Pair("x", 1),
                                               Pair("x", 30), Pair("x", 30), Pair("x", 30)));
}

TEST_F(Actions, ASearchThatFindsNothingIsNoFailure) {
  const Step step = Do(SearchOf("zebra"));
  EXPECT_EQ(step.error, "");
  EXPECT_THAT(step.observation, HasSubstr("None. Try other words"));
  EXPECT_EQ(state_.searches_used, 1);
}

TEST_F(Actions, ASearchWithoutWordsCostsNothing) {
  EXPECT_NE(Do(SearchOf("  ")).error, "");
  EXPECT_EQ(state_.searches_used, 0);
  EXPECT_THAT(warehouse_.searches, IsEmpty());
}

TEST_F(Actions, AUsedUpBudgetOfSearchesRefuses) {
  state_.searches_used = 3;
  EXPECT_THAT(Do(SearchOf("x")).error, HasSubstr("3 of 3"));
  EXPECT_EQ(state_.counters.schema_search_calls, 1);
}

TEST_F(Actions, AFailedSearchIsCharged) {
  warehouse_.failure = Error(ErrorKind::StoreLocked, "the store is locked");
  EXPECT_EQ(Do(SearchOf("x")).error, "the store is locked");
  EXPECT_EQ(state_.searches_used, 1);
}

TEST_F(Actions, AQueryKeepsWhatRanBesideWhatWasAsked) {
  QueryResult result;
  result.columns = {{"n"}};
  result.rows = {{std::int64_t{7}}};
  result.statement = "SELECT 7 AS n FROM sales.orders";
  warehouse_.results["SELECT 7"] = result;
  const Step step = Do(QueryOf("SELECT 7"));
  EXPECT_EQ(step.action.query, "SELECT 7");
  EXPECT_EQ(step.statement, "SELECT 7 AS n FROM sales.orders");
  EXPECT_THAT(step.observation, HasSubstr("n=7"));
  EXPECT_EQ(step.short_form, "1 rows of n: n=7");
  EXPECT_EQ(state_.counters.queries_successful, 1);
}

TEST_F(Actions, AFailedQueryIsToldWithTheNearestNamesAndNoStatement) {
  const Step step = Do(QueryOf("SELECT c FROM a.b"));
  EXPECT_THAT(step.error, HasSubstr("no column"));
  EXPECT_THAT(step.observation, HasSubstr("Nearest names: d"));
  EXPECT_EQ(step.statement, "");
  EXPECT_EQ(state_.counters.queries, 1);
  EXPECT_EQ(state_.counters.queries_failed, 1);
}

TEST_F(Actions, AnEarlyEndIsRefusedAndIsAStep) {
  state_.limits.steps_min = 2;
  Action done;
  done.kind = ActionKind::Complete;
  EXPECT_EQ(Do(done).kind, StepKind::CompleteRejected);
  EXPECT_EQ(Do(done).kind, StepKind::Complete);
  EXPECT_EQ(state_.counters.completes_rejected, 1);
}

TEST(Limits, OutOfTheirRangeAreRefused) {
  EXPECT_THAT(CheckLimits({}), IsOk());
  for (const Limits& limits :
       {Limits{.steps_max = 0}, Limits{.steps_max = kStepsMax + 1}, Limits{.steps_min = -1},
        Limits{.steps_max = 5, .steps_min = 6}, Limits{.lookups = {true, -1}},
        Limits{.searches = {true, -1}}, Limits{.output_tokens_max = 0}})
    EXPECT_THAT(CheckLimits(limits), IsError(ErrorKind::InvalidArgument));
  EXPECT_THAT(CheckLimits({.steps_max = kStepsMax, .steps_min = kStepsMax}), IsOk());
}

TEST(Words, RowsAreShownShort) {
  EXPECT_EQ(ShowRows({}), "unknown");
  EXPECT_EQ(ShowRows(-1), "unknown");
  EXPECT_EQ(ShowRows(0), "0");
  EXPECT_EQ(ShowRows(999), "999");
  EXPECT_EQ(ShowRows(1'000), "1.0K");
  EXPECT_EQ(ShowRows(999'960), "1.0M");
  EXPECT_EQ(ShowRows(5'600'000'000), "5.6B");
}

TEST(Words, OneLayerOfQuotesIsPeeledOff) {
  EXPECT_EQ(BareName(" `a.b` "), "a.b");
  EXPECT_EQ(BareName("\"a.b\""), "a.b");
  EXPECT_EQ(BareName("\"a\".\"b\""), "\"a\".\"b\"");
  EXPECT_EQ(BareName("'a'"), "'a'");
  EXPECT_EQ(BareName("`"), "`");
}

QueryResult Numbers(std::int64_t count) {
  QueryResult result;
  result.columns = {{"n"}, {"kind"}, {"email", true}};
  for (std::int64_t i = 1; i <= count; ++i)
    result.rows.push_back({i, std::string(i % 3 == 0 ? "a" : "b"), "p" + std::to_string(i)});
  return result;
}

TEST(Digests, SmallResultsAreShownWhole) {
  const std::string text = Digest(Numbers(20));
  EXPECT_THAT(text, HasSubstr("n=20"));
  EXPECT_THAT(text, HasSubstr("n=10"));
}

TEST(Digests, LargeResultsShowCountsQuartilesAndBothEnds) {
  const std::string text = Digest(Numbers(2'000));
  EXPECT_THAT(text, HasSubstr("2000 rows"));
  EXPECT_THAT(text, HasSubstr("n: 2000 different, 0 null; least 1, quartiles 500 1000 1500, "
                              "greatest 2000"));
  EXPECT_THAT(text, HasSubstr("kind: 2 different, 0 null; most frequent b (1334), a (666)"));
  EXPECT_THAT(text, HasSubstr("n=5,"));
  EXPECT_THAT(text, Not(HasSubstr("n=6,")));
  EXPECT_THAT(text, HasSubstr("n=1996,"));
  EXPECT_LE(text.size(), kObservationBytesMax + 3);
}

TEST(Digests, WithheldColumnsShowNoValue) {
  for (const std::int64_t count : {1, 20, 100}) {
    EXPECT_THAT(Digest(Numbers(count)), Not(HasSubstr("p1"))) << count;
    EXPECT_THAT(ShortDigest(Numbers(count)), Not(HasSubstr("p1"))) << count;
  }
}

TEST(Digests, ACutResultSaysSo) {
  QueryResult result = Numbers(3);
  result.truncated = true;
  EXPECT_THAT(Digest(result), HasSubstr("cut at a limit"));
}

TEST(Digests, NaNIsNoNumberAndNothingIsAResultToo) {
  QueryResult result;
  result.columns = {{"x"}};
  EXPECT_THAT(Digest(result), HasSubstr("0 rows"));
  for (int i = 0; i < 10; ++i) result.rows.push_back({std::nan("")});
  EXPECT_THAT(Digest(result), Not(HasSubstr("quartiles")));
}

TEST(Digests, WideAndLongResultsAreBounded) {
  QueryResult result;
  for (int c = 0; c < 500; ++c) result.columns.push_back({"column_" + std::to_string(c)});
  for (int r = 0; r < 20; ++r) result.rows.emplace_back(500, std::string(500, 'v'));
  const std::string text = Digest(result);
  EXPECT_LE(text.size(), kObservationBytesMax + 20);
  EXPECT_THAT(text, HasSubstr("470 columns more"));
}

}  // namespace
}  // namespace schemaward::explore
