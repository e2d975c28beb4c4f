// The table of what a step charges and what comes of it, each row in a run from end to end: a first
// reply that sets the stage, the reply of the row, and an end. What the row comes to is read from
// the step that is kept, from the budgets, and from the prompt that follows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "explore/actions.h"
#include "explore/explorer.h"
#include "explore/fake_warehouse.h"
#include "explore/limits.h"
#include "llm/scripted.h"

namespace schemaward::explore {
namespace {

using ::testing::HasSubstr;

constexpr const char* kLookUp = R"({"lookup_schema":["sales.items"]})";
constexpr const char* kAsk = R"({"query":"SELECT 42"})";
constexpr const char* kSearch = R"({"search_tables":"sales"})";

struct Row {
  const char* name;
  std::string first;  ///< of the model, before the reply of the row
  std::string reply;
  Limits limits{};
  bool is_away = false;  ///< the index fails from the second step on
  bool fails = false;
  bool is_charged = false;
  std::int64_t lookups_used = 0, searches_used = 0;               ///< after the row
  std::int64_t schema_lookup_calls = 0, schema_search_calls = 0;  ///< charged or not
  std::string told{};                                             ///< in the prompt that follows
};

class Charges : public ::testing::TestWithParam<Row> {};

TEST_P(Charges, AreWhatTheTableSays) {
  const Row& row = GetParam();
  FakeWarehouse warehouse;
  for (const char* name : {"sales.items", "sales.orders", "old.orders"})
    warehouse.Add(name, {"id"});
  for (int i = 0; i < 12; ++i) warehouse.Add("t.t" + std::to_string(i), {"id"});
  warehouse.results["SELECT 42"] = {};
  llm::ScriptedLlm model({"scripted", "test", 16'000, 1'000},
                         {{row.first}, {row.reply}, {R"({"done":true,"summary":"over"})"}});
  RunRequest request;
  request.question = "how many orders are there?";
  request.dialect = "PostgreSQL";
  request.limits = row.limits;
  request.limits.output_tokens_max = 1'000;
  const auto on_step = [&](const Step&) -> Status {
    if (row.is_away) warehouse.failure = Error(ErrorKind::StoreLocked, "the store is locked");
    return Ok();
  };
  const FakeClock clock;
  CallContext ctx(clock);
  const RunResult run = Explore(request, warehouse, model, on_step, ctx);

  EXPECT_EQ(run.status, RunStatus::Completed) << "the run goes on";
  ASSERT_EQ(run.state.steps.size(), 3U) << "each is a step, whatever came of it";
  const Step& step = run.state.steps[1];
  EXPECT_EQ(!step.error.empty(), row.fails) << step.error;
  EXPECT_EQ(step.is_charged, row.is_charged);
  EXPECT_EQ(run.state.lookups_used, row.lookups_used);
  EXPECT_EQ(run.state.searches_used, row.searches_used);
  EXPECT_EQ(run.state.counters.schema_lookup_calls, row.schema_lookup_calls);
  EXPECT_EQ(run.state.counters.schema_search_calls, row.schema_search_calls);
  EXPECT_THAT(model.Requests().at(2).messages.back().text, HasSubstr(row.told));
}

std::string LookUpOf(int tables) {
  std::string names;
  for (int i = 0; i < tables; ++i)
    names += (names.empty() ? "\"t.t" : ",\"t.t") + std::to_string(i) + "\"";
  return "{\"lookup_schema\":[" + names + "]}";
}

INSTANTIATE_TEST_SUITE_P(
    Table, Charges,
    ::testing::Values(
        Row{.name = "LookupsThatAreOff",
            .first = kAsk,
            .reply = kLookUp,
            .limits = {.lookups = {false, 30}},
            .fails = true,
            .schema_lookup_calls = 1,
            .told = "lookup_schema is not available in this run. Use the catalog above."},
        Row{.name = "SearchesThatAreOff",
            .first = kAsk,
            .reply = kSearch,
            .limits = {.searches = {false, 30}},
            .fails = true,
            .schema_search_calls = 1,
            .told = "search_tables is not available in this run. Use the catalog above."},
        Row{.name = "LookupsThatAreUsedUp",
            .first = kLookUp,
            .reply = R"({"lookup_schema":["sales.orders"]})",
            .limits = {.lookups = {true, 1}},
            .fails = true,
            .lookups_used = 1,
            .schema_lookup_calls = 2,
            .told = "No lookup_schema calls are left: 1 of 1 are used."},
        Row{.name = "LookupsThatAreUsedUpForWhatWasShownToo",
            .first = kLookUp,
            .reply = kLookUp,
            .limits = {.lookups = {true, 1}},
            .fails = true,
            .lookups_used = 1,
            .schema_lookup_calls = 2,
            .told = "No lookup_schema calls are left: 1 of 1 are used."},
        Row{.name = "SearchesThatAreUsedUp",
            .first = kSearch,
            .reply = R"({"search_tables":"other words"})",
            .limits = {.searches = {true, 1}},
            .fails = true,
            .searches_used = 1,
            .schema_search_calls = 2,
            .told = "No search_tables calls are left: 1 of 1 are used."},
        Row{.name = "NoName",
            .first = kAsk,
            .reply = R"({"lookup_schema":[" ","``"]})",
            .fails = true,
            .schema_lookup_calls = 1,
            .told = R"(Name at least one table: {"lookup_schema": ["schema.table"]})"},
        Row{.name = "NoNameAtAll",
            .first = kAsk,
            .reply = R"({"lookup_schema":[]})",
            .fails = true,
            .schema_lookup_calls = 1,
            .told = R"(Name at least one table: {"lookup_schema": ["schema.table"]})"},
        Row{.name = "NoWords",
            .first = kAsk,
            .reply = R"({"search_tables":"  "})",
            .fails = true,
            .schema_search_calls = 1,
            .told = R"(Say what to search for: {"search_tables": "abandoned carts"})"},
        Row{.name = "AllShownBefore",
            .first = kLookUp,
            .reply = R"({"lookup_schema":["ITEMS","`sales.items`"]})",
            .lookups_used = 1,
            .schema_lookup_calls = 2,
            .told = "All of these were shown before; use that: sales.items"},
        Row{.name = "MoreThanTen",
            .first = kAsk,
            .reply = LookUpOf(12),
            .is_charged = true,
            .lookups_used = 1,
            .schema_lookup_calls = 1,
            .told = "Only 10 tables are shown in one call. Not shown: t.t10, t.t11\n"},
        Row{.name = "MoreThanAreRead",
            .first = kAsk,
            .reply = LookUpOf(201),
            .is_charged = true,
            .lookups_used = 1,
            .schema_lookup_calls = 1,
            .told = "Not read: 1 names past the first 200\n"},
        Row{.name = "SomeUnknown",
            .first = kAsk,
            .reply = R"({"lookup_schema":["sales.ordrs","t.t3"]})",
            .is_charged = true,
            .lookups_used = 1,
            .schema_lookup_calls = 1,
            .told = "Not found: sales.ordrs (nearest: "},
        Row{.name = "AllUnknown",
            .first = kAsk,
            .reply = R"({"lookup_schema":["sales.ordrs"]})",
            .is_charged = true,
            .lookups_used = 1,
            .schema_lookup_calls = 1,
            .told = "Not found: sales.ordrs (nearest: "},
        Row{.name = "Ambiguous",
            .first = kAsk,
            .reply = R"({"lookup_schema":["orders"]})",
            .is_charged = true,
            .lookups_used = 1,
            .schema_lookup_calls = 1,
            .told = "Not found: orders (several: sales.orders, old.orders)"},
        Row{.name = "LookupThatTheIndexFails",
            .first = kAsk,
            .reply = kLookUp,
            .is_away = true,
            .fails = true,
            .is_charged = true,
            .lookups_used = 1,
            .schema_lookup_calls = 1,
            .told = "The lookup failed: the store is locked"},
        Row{.name = "SearchThatTheIndexFails",
            .first = kAsk,
            .reply = kSearch,
            .is_away = true,
            .fails = true,
            .is_charged = true,
            .searches_used = 1,
            .schema_search_calls = 1,
            .told = "The search failed: the store is locked"},
        Row{.name = "QueryThatFails",
            .first = kAsk,
            .reply = R"({"query":"SELECT c FROM a.b"})",
            .fails = true,
            .told = "The query did not run: table \"a.b\" has no column \"c\""},
        Row{.name = "EarlyEnd",
            .first = kAsk,
            .reply = R"({"done":true})",
            .limits = {.steps_min = 3},
            .fails = true,
            .told = "goes on for at least 3"},
        Row{.name = "NothingFound",
            .first = kAsk,
            .reply = R"({"search_tables":"zebra"})",
            .is_charged = true,
            .searches_used = 1,
            .schema_search_calls = 1,
            .told = "None. Try other words"}),
    [](const auto& row) { return row.param.name; });

// Whatever a lookup names, what it is told stays within a few pages, and says what is left out.
TEST(WhatALookupIsTold, IsBounded) {
  FakeWarehouse warehouse;
  warehouse.Add("sales." + std::string(100, 'o'), {"id"});
  State state;
  Action action;
  action.kind = ActionKind::LookupSchema;
  for (int i = 0; i < 200; ++i) action.tables.push_back(std::string(150, 'x') + std::to_string(i));
  const FakeClock clock;
  CallContext ctx(clock);
  const auto few = CarryOut(state, action, warehouse, ctx);
  ASSERT_TRUE(few);
  EXPECT_LE(few->observation.size(), 2 * kObservationBytesMax);
  EXPECT_THAT(few->observation, ::testing::Not(HasSubstr("Not read")));
  action.tables.resize(31);
  for (std::size_t i = 0; i < action.tables.size(); ++i) action.tables[i] = "n" + std::to_string(i);
  warehouse.tables.clear();
  const auto all = CarryOut(state, action, warehouse, ctx);
  ASSERT_TRUE(all);
  EXPECT_THAT(all->observation, HasSubstr("n28, n29 and 1 more\n"));
}

}  // namespace
}  // namespace schemaward::explore
