// An exploration of a real file: the index, the policy, the guard and the engine behind it.

#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "app/application.h"
#include "app/server.h"
#include "base/result_matchers.h"
#include "explore/explorer.h"
#include "index/run.h"
#include "llm/scripted.h"
#include "sqlite/sqlite.h"
#include "tools/run_samples.h"
#include "tools/warehouse.h"

namespace schemaward::app {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kShop = R"(
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, email TEXT, city TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers (id), total REAL, placed_at TIMESTAMP);
INSERT INTO customers VALUES (1, 'Ada', 'ada@example.com', 'Kiel'), (2, 'Bo', 'bo@example.com', 'Bonn');
INSERT INTO orders VALUES (1, 1, 10.5, '2026-01-01'), (2, 1, 4.5, '2026-01-02'), (3, 2, 1.0, '2026-01-03');
)";

class ExplorationTest : public ::testing::Test {
 protected:
  ExplorationTest()
      : folder_(fs::temp_directory_path() /
                fmt::format("ward_exploration_{}_{}",
                            ::testing::UnitTest::GetInstance()->current_test_info()->name(),
                            ::getpid())) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    const auto nothing = [](const std::string&) { return std::optional<std::string>(); };
    application_ = std::make_unique<Application>(
        *Config::Load({{"store", (folder_ / "store.db").string()}}, nothing, folder_.string()));
  }
  ~ExplorationTest() override {
    server_.reset();
    application_.reset();
    fs::remove_all(folder_);
  }

  void SetUp() override {
    const std::string file = (folder_ / "shop.db").string();
    {
      auto database = sqlite::Database::Open(file, {.create = true});
      ASSERT_THAT(database, IsOk());
      ASSERT_THAT(database->Execute(kShop + more_), IsOk());
    }
    const auto source = application_->AddSource("sqlite:" + file, "shop");
    ASSERT_THAT(source, IsOk());
    CallContext ctx = application_->CommandContext();
    const auto connector = application_->Connect(*source, ctx);
    ASSERT_THAT(connector, IsOk());
    index::RunOptions options;
    options.sample_rows = sample_rows_;
    ASSERT_THAT(index::Run(**connector, **application_->Store(true), *source, options, ctx),
                IsOk());
    auto server =
        ToolServer::Create(*application_, {.sets = {"catalog", "sql"}, .served = {"shop"}});
    ASSERT_THAT(server, IsOk());
    server_ = *std::move(server);
  }

  explore::RunResult Explore(const std::vector<std::string>& replies) {
    std::vector<llm::ScriptedTurn> turns;
    for (const std::string& reply : replies) turns.push_back({reply});
    llm::ScriptedLlm model({"scripted", "test", 32'000}, turns);
    CallContext ctx = application_->CommandContext();
    const auto source = (*application_->Store(true))->FindSource("shop");
    tools::IndexWarehouse warehouse(server_->services().For(ctx), server_->invoker(), **source);
    explore::RunRequest request{"how many orders has each customer?", "sqlite", {}};
    const auto run = explore::Explore(request, warehouse, model, {}, ctx);
    EXPECT_FALSE(ctx.deadline.IsSet()) << "the time limit of a query is not the run's";
    system_ = model.Requests().empty() ? "" : model.Requests().front().system;
    return run;
  }

  tools::Services Services(const CallContext& ctx) { return server_->services().For(ctx); }
  store::Source Shop() { return **(*application_->Store(true))->FindSource("shop"); }

  std::string more_;              ///< statements after those of the shop
  std::int64_t sample_rows_ = 2;  ///< that the index keeps
  fs::path folder_;
  std::unique_ptr<Application> application_;
  std::unique_ptr<ToolServer> server_;
  std::string system_;
};

TEST_F(ExplorationTest, SearchesLooksUpAndCounts) {
  const auto run =
      Explore({R"({"search_tables":"orders"})", R"({"lookup_schema":["ORDERS"]})",
               R"({"query":"SELECT customer_id, count(*) AS n FROM orders GROUP BY 1 ORDER BY 1"})",
               R"({"done":true,"summary":"two and one"})"});
  ASSERT_EQ(run.status, explore::RunStatus::Completed) << run.error->ToLogText();
  EXPECT_THAT(system_, HasSubstr("main.customers|4c|"));
  const auto& steps = run.state.steps;
  EXPECT_THAT(steps[0].observation, HasSubstr("main.orders"));
  EXPECT_THAT(steps[1].observation, HasSubstr("- id INTEGER"));
  EXPECT_THAT(steps[1].observation, HasSubstr("-> main.customers"));
  EXPECT_THAT(steps[1].observation, HasSubstr("Sample rows:"));
  EXPECT_THAT(steps[2].observation, HasSubstr("customer_id=1, n=2\ncustomer_id=2, n=1"));
  EXPECT_THAT(steps[2].statement, HasSubstr("\"orders\""));
  EXPECT_EQ(run.state.counters.queries_successful, 1);
}

TEST_F(ExplorationTest, ValuesOfPersonalColumnsReachNoPrompt) {
  const auto run = Explore({R"({"lookup_schema":["main.customers"]})",
                            R"({"query":"SELECT email FROM customers"})", R"({"done":true})"});
  ASSERT_EQ(run.status, explore::RunStatus::Completed);
  for (const auto& step : run.state.steps)
    EXPECT_THAT(step.observation, Not(HasSubstr("@example.com")));
  EXPECT_THAT(run.state.steps[0].observation, HasSubstr("personal, withheld"));
}

class UnsampledTest : public ExplorationTest {
 protected:
  UnsampledTest() {
    sample_rows_ = 0;
    more_ = "CREATE TABLE a (x INTEGER); CREATE TABLE b (email TEXT); CREATE TABLE c (x INTEGER);";
  }
};

TEST_F(UnsampledTest, TablesWithoutSamplesAreSampledBeforeTheRunAndPersonalColumnsAreNot) {
  const auto run =
      Explore({R"({"lookup_schema":["main.customers","main.orders"]})",
               R"({"lookup_schema":["main.a","main.b"]})", R"({"done":true,"summary":"s"})"});
  ASSERT_EQ(run.status, explore::RunStatus::Completed) << run.error->ToLogText();
  const std::string& told = run.state.steps[0].observation;
  EXPECT_THAT(told, HasSubstr("Sample rows:\nid=1, city=Kiel\nid=2, city=Bonn\n"));
  EXPECT_THAT(told, HasSubstr("total=10.5"));
  EXPECT_THAT(told, Not(HasSubstr("@example.com")));
  EXPECT_THAT(run.state.steps[1].observation, HasSubstr("No sample rows: it gave none."));
  EXPECT_THAT(run.state.steps[1].observation,
              HasSubstr("No sample rows: its values are withheld."));
  EXPECT_EQ(run.state.counters.queries, 0) << "sampling is no query of the run";
}

TEST_F(UnsampledTest, SamplingIsBoundedAndALookupSaysWhereItHasNone) {
  CallContext ctx = application_->CommandContext();
  tools::IndexWarehouse warehouse(Services(ctx), server_->invoker(), Shop(), {.tables_max = 1});
  ASSERT_THAT(warehouse.Prepare(ctx), IsOk());
  const auto views = warehouse.Lookup({"main.customers", "main.orders"}, ctx);
  ASSERT_THAT(views, IsOk());
  EXPECT_EQ((*views)[0].no_samples, "it was not read before the run");
  EXPECT_EQ((*views)[1].samples.size(), 3U) << "the larger table comes first";
}

TEST_F(UnsampledTest, WhereNothingAnswersSamplingEndsAndTheRunGoesOn) {
  CallContext ctx = application_->CommandContext();
  int asked = 0;
  const auto away = [&](const std::string&) -> Result<explore::QueryResult> {
    ++asked;
    return Error(ErrorKind::SourceUnreachable, "the source is away");
  };
  const auto samples = tools::ReadRunSamples(Services(ctx), Shop(), away, {}, ctx);
  ASSERT_THAT(samples, IsOk());
  EXPECT_EQ(asked, 3) << "failures in a row";
  EXPECT_EQ(samples->at("main.orders").none, "it could not be read");
  EXPECT_EQ(samples->at("main.c").none, "it was not read before the run");
  const auto stopped = [](const std::string&) -> Result<explore::QueryResult> {
    return Error(ErrorKind::Cancelled, "cancelled");
  };
  EXPECT_THAT(tools::ReadRunSamples(Services(ctx), Shop(), stopped, {}, ctx),
              IsError(ErrorKind::Cancelled));
}

TEST_F(ExplorationTest, TablesWithKeptSamplesAreNotSampledAgain) {
  CallContext ctx = application_->CommandContext();
  const auto never = [](const std::string& sql) -> Result<explore::QueryResult> {
    ADD_FAILURE() << sql;
    return Error(ErrorKind::Internal, "asked");
  };
  const auto samples = tools::ReadRunSamples(Services(ctx), Shop(), never, {}, ctx);
  ASSERT_THAT(samples, IsOk());
  EXPECT_TRUE(samples->empty());
}

TEST_F(ExplorationTest, WhatTheGuardRefusesIsToldAndNothingRuns) {
  const auto run =
      Explore({R"({"query":"DELETE FROM orders"})", R"({"query":"SELECT totl FROM orders"})",
               R"({"query":"SELECT count(*) AS n FROM orders"})", R"({"done":true})"});
  ASSERT_EQ(run.status, explore::RunStatus::Completed);
  const auto& steps = run.state.steps;
  EXPECT_NE(steps[0].error, "");
  EXPECT_EQ(steps[0].statement, "");
  EXPECT_THAT(steps[1].observation, HasSubstr("total"));
  EXPECT_THAT(steps[2].observation, HasSubstr("n=3"));
  EXPECT_EQ(run.state.counters.queries_failed, 2);
}

TEST_F(ExplorationTest, ANameThatIsNotThereIsAnsweredWithTheNearest) {
  const auto run = Explore({R"({"lookup_schema":["main.ordrs"]})", R"({"done":true})"});
  EXPECT_THAT(run.state.steps[0].observation, HasSubstr("Not found: main.ordrs (nearest: "));
  EXPECT_THAT(run.state.steps[0].observation, HasSubstr("main.orders"));
}

}  // namespace
}  // namespace schemaward::app
