// The five tools of the set explore on a real file: budgets, verdicts, runs in the background.
// COVERS: R-MCP-3 R-MCP-5
// MAKES: cost_cap_exceeded/money_cap cost_cap_exceeded/run_budget_spent unknown_name/unknown_run

#include <filesystem>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "app/application.h"
#include "app/server.h"
#include "base/result_matchers.h"
#include "index/run.h"
#include "sqlite/sqlite.h"
#include "tool/invoke.h"

namespace schemaward::app {
namespace {

namespace fs = std::filesystem;
using json::Value;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kShop = R"(
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, email TEXT, city TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers (id), total REAL, placed_at TIMESTAMP);
INSERT INTO customers VALUES (1, 'Ada', 'ada@example.com', 'Kiel'), (2, 'Bo', 'bo@example.com', 'Bonn');
INSERT INTO orders VALUES (1, 1, 10.5, '2026-01-01'), (2, 1, 4.5, '2026-01-02'), (3, 2, 1.0, '2026-01-03');
)";
constexpr const char* kReplies =
    R"([{"lookup_schema": ["main.orders"]}, {"query": "SELECT customer_id, count(*) AS n FROM orders GROUP BY 1"}, {"done": true, "summary": "two and one"}])";
constexpr const char* kPrices =
    R"({"format": "schemaward-prices", "version": 1, "models": {"scripted/*": {"input": 2, "output": 10}}})";

class ExplorationTools : public ::testing::Test {
 protected:
  ExplorationTools()
      : folder_(fs::temp_directory_path() /
                fmt::format("ward_exploration_tools_{}_{}",
                            ::testing::UnitTest::GetInstance()->current_test_info()->name(),
                            ::getpid())) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::ofstream(folder_ / "replies.json") << kReplies;
    std::ofstream(folder_ / "prices.json") << kPrices;
  }
  ~ExplorationTools() override {
    server_.reset();
    application_.reset();
    fs::remove_all(folder_);
  }

  void Begin(const std::string& model = {}) {
    const auto nothing = [](const std::string&) { return std::optional<std::string>(); };
    std::map<std::string, std::string> settings = {{"store", (folder_ / "store.db").string()}};
    if (!model.empty()) settings["llm.model"] = model;
    settings["llm.prices"] = (folder_ / "prices.json").string();
    auto config = Config::Load(settings, nothing, folder_.string());
    ASSERT_THAT(config, IsOk());
    application_ = std::make_unique<Application>(*std::move(config));
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
    ASSERT_THAT(index::Run(**connector, **application_->Store(true), *source, {}, ctx), IsOk());
    auto server = ToolServer::Create(*application_, {.sets = {"explore"}, .served = {}});
    ASSERT_THAT(server, IsOk());
    server_ = *std::move(server);
  }

  tool::Answer Ask(const std::string& tool, const Value& args, const std::string& who = "me") {
    CallContext ctx = application_->CommandContext();
    ctx.principal.id = who;
    return server_->invoker().Invoke(tool, args, ctx);
  }
  Value Call(const std::string& tool, const Value& args) {
    const tool::Answer answer = Ask(tool, args);
    EXPECT_FALSE(answer.is_error) << answer.text;
    return Value::parse(answer.text);
  }
  std::string Start(Value args) {
    args["question"] = "how many orders has each customer?";
    return Call("start_exploration", args)["data"]["run"]["run_id"].get<std::string>();
  }
  // The run once nobody drives it any more.
  Value WhenOver(const std::string& run_id) {
    while (true) {
      Value run = Call("get_exploration", {{"run_id", run_id}});
      if (run["data"]["run"]["status"] != "running") return run;
      std::this_thread::yield();
    }
  }
  static Value CountOf(const std::string& value, const Value& of) {
    return {{"label", "orders"}, {"value", value}, {"kind", "count"}, {"of", of}};
  }
  std::string Verdict(const std::string& run_id, const Value& figure) {
    return Call("verify_claim", {{"run_id", run_id},
                                 {"claim", "it is so"},
                                 {"figures", Value::array({figure})}})["data"]["verdict"]
        .get<std::string>();
  }

  fs::path folder_;
  std::unique_ptr<Application> application_;
  std::unique_ptr<ToolServer> server_;
};

TEST_F(ExplorationTools, TheSetHoldsFiveToolsInTheirOrder) {
  Begin();
  std::vector<std::string> names;
  for (const tool::Tool* tool : server_->registry().served()) names.push_back(tool->spec().name);
  EXPECT_THAT(names, ::testing::ElementsAre("start_exploration", "get_exploration", "search_tables",
                                            "lookup_schema", "verify_claim"));
  const auto added = ParseToolSets("default,explore", true);
  ASSERT_THAT(added, IsOk());
  EXPECT_THAT(*added, ::testing::ElementsAre("catalog", "semantic", "sql", "explore"));
}

TEST_F(ExplorationTools, AnAgentSearchesLooksUpAndVerifies) {
  Begin();
  const std::string run = Start({});
  const Value found = Call("search_tables", {{"run_id", run}, {"query", "orders"}});
  EXPECT_EQ(found["data"]["tables"][0], "main.orders");
  EXPECT_EQ(found["data"]["run"]["searches_left"], 29);
  const Value shown = Call("lookup_schema", {{"run_id", run}, {"tables", {"orders"}}});
  EXPECT_THAT(shown["data"]["told"].get<std::string>(), HasSubstr("- customer_id INTEGER"));
  const Value again = Call("lookup_schema", {{"run_id", run}, {"tables", {"main.orders"}}});
  EXPECT_EQ(again["data"]["run"]["lookups_left"], 29) << "shown before: not charged";
  const Value sql = {{"sql", "SELECT id, total FROM orders"}};
  EXPECT_EQ(Verdict(run, CountOf("3", sql)), "confirmed");
  EXPECT_EQ(Verdict(run, CountOf("4", {{"step", 4}})), "adjusted");
  EXPECT_EQ(Verdict(run, CountOf("0", {{"step", 4}})), "rejected");
  EXPECT_EQ(Verdict(run, CountOf("3", {{"step", 1}})), "error") << "a search gave no rows";
  EXPECT_EQ(Verdict(run, CountOf("3", {{"step", 77}})), "error");
  const Value kept = Call("get_exploration", {{"run_id", run}});
  EXPECT_EQ(kept["data"]["insights"].size(), 5U);
  EXPECT_EQ(kept["data"]["insights"][1]["figures"][0]["right"], "3");
  EXPECT_EQ(kept["data"]["total"], 4);
  EXPECT_EQ(kept["data"]["run"]["schema_lookup_calls"], 2);
}

TEST_F(ExplorationTools, SumsRatiosAndCellsOfOneResult) {
  Begin();
  const std::string run = Start({});
  const Value by = {{"sql", "SELECT customer_id, sum(total) AS total FROM orders GROUP BY 1"}};
  Value sum = by;
  sum["column"] = "total";
  EXPECT_EQ(Verdict(run, {{"value", "16"}, {"kind", "sum"}, {"of", sum}}), "confirmed");
  Value cell = sum;
  cell["where"] = Value::array({{{"column", "customer_id"}, {"value", "1"}}});
  EXPECT_EQ(Verdict(run, {{"value", "15"}, {"kind", "cell"}, {"of", cell}}), "confirmed");
  Value base = sum;
  base["kind"] = "sum";
  EXPECT_EQ(Verdict(run, {{"value", "93.8%"}, {"kind", "ratio"}, {"of", cell}, {"base", base}}),
            "confirmed");
  EXPECT_EQ(Verdict(run, {{"value", "many"}, {"kind", "cell"}, {"of", cell}}), "error");
}

TEST_F(ExplorationTools, WhatTheGuardRefusesVerifiesNothing) {
  Begin();
  const std::string run = Start({});
  EXPECT_EQ(Verdict(run, CountOf("3", {{"sql", "DELETE FROM orders"}})), "error");
  EXPECT_EQ(Verdict(run, CountOf("2", {{"sql", "SELECT email FROM customers"}})), "error");
  EXPECT_EQ(Verdict(run, CountOf("3", {{"sql", "SELECT id FROM orders"}})), "confirmed");
  EXPECT_THAT(Call("get_exploration", {{"run_id", run}}).dump(), Not(HasSubstr("@example.com")));
}

TEST_F(ExplorationTools, ASpentBudgetLeadsToTheRun) {
  Begin();
  const std::string run = Start({{"max_lookups", 1}, {"max_steps", 3}});
  Call("lookup_schema", {{"run_id", run}, {"tables", {"orders"}}});
  const tool::Answer spent = Ask("lookup_schema", {{"run_id", run}, {"tables", {"customers"}}});
  const Value error = Value::parse(spent.text)["error"];
  EXPECT_EQ(error["kind"], "cost_cap_exceeded");
  EXPECT_EQ(error["reason"], "run_budget_spent");
  EXPECT_EQ(error["recovery"]["suggested_tool"], "get_exploration");
  EXPECT_EQ(error["recovery"]["suggested_args"]["run_id"], run);
  Call("search_tables", {{"run_id", run}, {"query", "orders"}});
  const tool::Answer over = Ask("search_tables", {{"run_id", run}, {"query", "orders"}});
  EXPECT_EQ(Value::parse(over.text)["error"]["reason"], "run_budget_spent") << "no steps are left";
}

TEST_F(ExplorationTools, ARunIsItsOwnersAlone) {
  Begin();
  const std::string run = Start({});
  const Value figures = Value::array({CountOf("3", {{"sql", "SELECT id FROM orders"}})});
  const std::pair<const char*, Value> calls[] = {
      {"get_exploration", {{"run_id", run}}},
      {"lookup_schema", {{"run_id", run}, {"tables", {"orders"}}}},
      {"search_tables", {{"run_id", run}, {"query", "orders"}}},
      {"verify_claim", {{"run_id", run}, {"claim", "so"}, {"figures", figures}}}};
  for (const auto& [tool, args] : calls) {
    const tool::Answer other = Ask(tool, args, "somebody");
    EXPECT_EQ(Value::parse(other.text)["error"]["reason"], "unknown_run") << tool;
    EXPECT_THAT(other.text, Not(HasSubstr("how many orders"))) << tool;
  }
  EXPECT_EQ(Call("get_exploration", Value::object())["data"]["runs"].size(), 1U);
}

TEST_F(ExplorationTools, AnIdThatMeansNoRunIsAnsweredWithTheNearestOfTheCallers) {
  Begin();
  const std::string run = Start({});
  std::string wrong = run;
  wrong.back() = wrong.back() == '0' ? '1' : '0';
  const Value args = {{"run_id", wrong}, {"tables", {"orders"}}};
  const Value error = Value::parse(Ask("lookup_schema", args).text)["error"];
  EXPECT_EQ(error["kind"], "unknown_name");
  EXPECT_EQ(error["reason"], "unknown_run");
  EXPECT_EQ(error["recovery"]["fuzzy_matches"], Value::array({run}));
  EXPECT_EQ(error["recovery"]["suggested_tool"], "get_exploration");
  const Value others = Value::parse(Ask("lookup_schema", args, "somebody").text)["error"];
  EXPECT_EQ(others["reason"], "unknown_run");
  EXPECT_EQ(others["recovery"]["fuzzy_matches"], nullptr);
}

TEST_F(ExplorationTools, AModelDrivesARunInTheBackground) {
  Begin("scripted:" + (folder_ / "replies.json").string());
  const std::string run = Start({});
  const Value over = WhenOver(run);
  EXPECT_EQ(over["data"]["run"]["status"], "completed") << over.dump();
  EXPECT_EQ(over["data"]["run"]["summary"], "two and one");
  EXPECT_EQ(over["data"]["steps"].size(), 3U);
  EXPECT_EQ(Verdict(run, {{"value", "3"}, {"kind", "sum"}, {"of", {{"step", 2}, {"column", "n"}}}}),
            "confirmed");
  EXPECT_TRUE(Ask("lookup_schema", {{"run_id", run}, {"tables", {"orders"}}}).is_error)
      << "a model decides its steps";
  const Value page = Call("get_exploration", {{"run_id", run}, {"limit", 2}});
  EXPECT_EQ(page["data"]["steps"].size(), 2U);
  const Value rest = Call("get_exploration",
                          {{"run_id", run}, {"limit", 2}, {"cursor", page["data"]["next_cursor"]}});
  EXPECT_EQ(rest["data"]["steps"][0]["step"], 3);
}

TEST_F(ExplorationTools, ARunPastItsLimitOfMoneyIsPartial) {
  Begin("scripted:" + (folder_ / "replies.json").string());
  const std::string run = Start({{"max_cost", "0.000001"}});
  const Value over = WhenOver(run);
  EXPECT_EQ(over["status"], "partial");
  EXPECT_EQ(over["data"]["run"]["status"], "partial");
  EXPECT_EQ(over["data"]["run"]["cost_max_usd"], "0.000001");
}

TEST_F(ExplorationTools, TheModelOfTheClientDecidesARunWhereNoneIsConfigured) {
  Begin();
  Value replies = Value::parse(kReplies);
  std::size_t asked = 0;
  int told = 0;
  CallContext ctx = application_->CommandContext();
  ctx.progress = [&](const Progress&) { ++told; };
  ctx.ask_client = [&](std::string_view method, std::string_view params,
                       CallContext&) -> Result<std::string> {
    EXPECT_EQ(method, "sampling/createMessage");
    EXPECT_THAT(std::string(params), HasSubstr("main.orders"));
    return Value({{"role", "assistant"},
                  {"model", "clients-own"},
                  {"content", {{"type", "text"}, {"text", replies.at(asked++).dump()}}}})
        .dump();
  };
  const Value args = {{"question", "how many?"}, {"decided_by", "model"}};
  const tool::Answer answer = server_->invoker().Invoke("start_exploration", args, ctx);
  ASSERT_FALSE(answer.is_error) << answer.text;
  const Value run = Value::parse(answer.structured)["data"]["run"];
  EXPECT_EQ(run["status"], "completed");
  EXPECT_EQ(run["summary"], "two and one");
  EXPECT_EQ(run["steps_used"], 3);
  EXPECT_GT(run["input_tokens"], 0);
  EXPECT_EQ(asked, 3U);
  EXPECT_GE(told, 3);
}

TEST_F(ExplorationTools, AClientThatRefusesAtOnceIsToldTheCallThatNeedsNoModel) {
  Begin();
  CallContext ctx = application_->CommandContext();
  ctx.ask_client = [](std::string_view, std::string_view, CallContext&) -> Result<std::string> {
    return Error(ErrorKind::PermissionDenied, "the client did not do it");
  };
  Value args = {{"question", "how many?"}, {"decided_by", "model"}};
  const tool::Answer answer = server_->invoker().Invoke("start_exploration", args, ctx);
  const Value error = Value::parse(answer.structured)["error"];
  EXPECT_EQ(error["kind"], "internal_error") << answer.text;
  EXPECT_EQ(error["reason"], "permission_denied");
  EXPECT_EQ(error["recovery"]["suggested_tool"], "start_exploration");
  EXPECT_EQ(error["recovery"]["suggested_args"]["decided_by"], "agent");
  EXPECT_FALSE(Ask("start_exploration", error["recovery"]["suggested_args"]).is_error);
  args["max_cost"] = "1";
  const tool::Answer capped = server_->invoker().Invoke("start_exploration", args, ctx);
  EXPECT_TRUE(capped.is_error);
  EXPECT_THAT(capped.text, HasSubstr("not known here"));
}

TEST_F(ExplorationTools, AClientThatRefusesInTheMiddleIsLedToWhatWasKept) {
  Begin();
  CallContext ctx = application_->CommandContext();
  int asked = 0;
  ctx.ask_client = [&](std::string_view, std::string_view, CallContext&) -> Result<std::string> {
    if (++asked > 1) return Error(ErrorKind::PermissionDenied, "the client did not do it");
    const std::string step = Value::parse(kReplies).at(0).dump();
    return Value({{"role", "assistant"}, {"content", {{"type", "text"}, {"text", step}}}}).dump();
  };
  const Value args = {{"question", "how many?"}, {"decided_by", "model"}};
  const tool::Answer answer = server_->invoker().Invoke("start_exploration", args, ctx);
  EXPECT_TRUE(answer.is_error);
  const Value recovery = Value::parse(answer.structured)["error"]["recovery"];
  EXPECT_EQ(recovery["suggested_tool"], "get_exploration") << answer.text;
  const tool::Answer kept =
      server_->invoker().Invoke("get_exploration", recovery["suggested_args"], ctx);
  ASSERT_FALSE(kept.is_error) << kept.text;
  const Value data = Value::parse(kept.structured)["data"];
  EXPECT_EQ(data["run"]["status"], "failed");
  EXPECT_EQ(data["steps"].size(), 1U);
}

TEST_F(ExplorationTools, WithoutAModelTheNextCallIsAnAgentsRun) {
  Begin();
  const tool::Answer answer =
      Ask("start_exploration", {{"question", "why?"}, {"decided_by", "model"}});
  EXPECT_TRUE(answer.is_error);
  EXPECT_THAT(answer.text, HasSubstr("start_exploration"));
  EXPECT_THAT(answer.text, HasSubstr("agent"));
}

}  // namespace
}  // namespace schemaward::app
