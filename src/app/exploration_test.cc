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
      ASSERT_THAT(database->Execute(kShop), IsOk());
    }
    const auto source = application_->AddSource("sqlite:" + file, "shop");
    ASSERT_THAT(source, IsOk());
    CallContext ctx = application_->CommandContext();
    const auto connector = application_->Connect(*source, ctx);
    ASSERT_THAT(connector, IsOk());
    index::RunOptions options;
    options.sample_rows = 2;
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
