// Every kind that the tools of definitions can answer, made by a real call; each recovery is made
// in turn and must answer. [R-REC-2]

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/application.h"
#include "app/server.h"
#include "base/result_matchers.h"
#include "index/run.h"
#include "semantic/lifecycle.h"
#include "store/testing.h"

namespace schemaward::app {
namespace {

using Json = json::Value;
using ::testing::ElementsAre;

constexpr const char* kSchema = R"(
CREATE TABLE customers (id integer PRIMARY KEY, country text);
CREATE TABLE agents (id integer PRIMARY KEY);
CREATE TABLE orders (id integer PRIMARY KEY, customer_id integer, agent_id integer, placed_at timestamptz, total numeric);
CREATE TABLE visits (id integer PRIMARY KEY, customer_id integer, agent_id integer);
CREATE TABLE lonely (id integer PRIMARY KEY);
)";
constexpr const char* kGoneSchema = R"(
CREATE TABLE customers (id integer PRIMARY KEY, country text);
CREATE TABLE orders (id integer PRIMARY KEY, placed_at timestamptz, total numeric);
)";
constexpr std::pair<const char*, const char*> kDefinitions[] = {
    {"entity", "{name: customer, table: customers, identity: id, synonyms: client}"},
    {"entity", "{name: agent, table: agents, identity: id}"},
    {"entity", "{name: order, table: orders, identity: id}"},
    {"entity", "{name: visit, table: visits, identity: id}"},
    {"entity", "{name: island, table: lonely, identity: id}"},
    {"join", "{name: order_customer, from: order, to: customer, on: {customer_id: id}}"},
    {"join", "{name: order_agent, from: order, to: agent, on: {agent_id: id}}"},
    {"join", "{name: visit_customer, from: visit, to: customer, on: {customer_id: id}}"},
    {"join", "{name: visit_agent, from: visit, to: agent, on: {agent_id: id}}"},
    {"metric", "{name: revenue, entity: order, aggregation: sum, column: total}"},
};

class SemanticCallsTest : public ::testing::Test {
 protected:
  SemanticCallsTest() {
    const auto nothing = [](const std::string&) { return std::optional<std::string>(); };
    application_ = std::make_unique<Application>(
        *Config::Load({{"store", folder_.File("store.db")}}, nothing, folder_.File("")));
  }

  void Index(const std::string& name, const std::string& script) {
    std::ofstream(folder_.File(name + ".sql")) << script;
    const auto source = application_->AddSource("ddl:" + folder_.File(name + ".sql"), name);
    ASSERT_THAT(source, IsOk());
    CallContext ctx = application_->CommandContext();
    const auto connector = application_->Connect(*source, ctx);
    ASSERT_THAT(connector, IsOk());
    ASSERT_THAT(index::Run(**connector, **application_->Store(true), *source, {}, ctx), IsOk());
  }

  void Define(const std::string& name) {
    store::Store& store = **application_->Store(true);
    semantic::LoadedFiles loaded;
    for (const auto& [kind, text] : kDefinitions) semantic::ReadFile(text, "f.yaml", kind, loaded);
    const auto source = store.FindSource(name).value();
    const auto plan = semantic::PlanApply(store, *source, loaded, false);
    ASSERT_THAT(plan, IsOk());
    for (const auto& error : plan->errors) ADD_FAILURE() << error.ToText();
    ASSERT_THAT(store::ChangeDefinitions(store, source->id, plan->changes), IsOk());
  }

  Json Call(const std::string& tool, const std::string& args) {
    if (server_ == nullptr)
      server_ = *ToolServer::Create(*application_, {.sets = {"catalog", "semantic"}, .served = {}});
    CallContext ctx = application_->CommandContext();
    Json envelope = Json::parse(server_->invoker().Invoke(tool, Json::parse(args), ctx).structured);
    if (envelope["error"].is_null()) return envelope;
    const Json& recovery = envelope["error"]["recovery"];
    const auto again = server_->invoker().Invoke(recovery["suggested_tool"].get<std::string>(),
                                                 recovery["suggested_args"], ctx);
    EXPECT_FALSE(again.is_error) << recovery.dump() << " answers " << again.text;
    return envelope;
  }

  static std::string KindOf(const Json& envelope) {
    if (envelope["error"].is_null()) return envelope["status"].get<std::string>();
    return envelope["error"]["kind"].get<std::string>();
  }
  static std::string Suggested(const Json& envelope) {
    const Json& recovery = envelope["error"]["recovery"];
    return recovery["suggested_tool"].get<std::string>() + " " + recovery["suggested_args"].dump();
  }

  store::TempFolder folder_;
  std::unique_ptr<Application> application_;
  std::unique_ptr<ToolServer> server_;
};

TEST_F(SemanticCallsTest, NothingDefinedIsEmptyAndLeadsToTables) {
  Index("shop", kSchema);
  for (const char* tool : {"list_entities", "list_joins", "list_metrics"})
    EXPECT_EQ(KindOf(Call(tool, "{}")), "empty") << tool;
  EXPECT_EQ(KindOf(Call("find_relevant_entities", R"({"query":"orders"})")), "empty");
  const Json envelope = Call("describe_entity", R"({"name":"order"})");
  EXPECT_EQ(KindOf(envelope), "unknown_name");
  EXPECT_EQ(Suggested(envelope), R"(find_relevant_tables {"query":"order"})");
}

// COVERS: R-REC-1 R-REC-2 R-NAME-1 R-ENV-3
TEST_F(SemanticCallsTest, EveryKindComesWithItsNextCall) {
  Index("shop", kSchema);
  Define("shop");
  struct Case {
    std::string tool, args, kind, suggested;
  };
  const Case cases[] = {
      {"describe_entity", R"({"name":"ordr"})", "unknown_name",
       R"(find_relevant_entities {"query":"ordr"})"},
      {"describe_entity", R"({"name":"public.orders"})", "unknown_name",
       R"(describe_table {"qualified_name":"public.orders"})"},
      {"describe_table", R"({"qualified_name":"client"})", "unknown_name",
       R"(describe_entity {"name":"customer"})"},
      {"describe_entity", R"({"name":"x.y"})", "malformed_name",
       R"(find_relevant_entities {"query":"y"})"},
      {"list_metrics", R"({"entity":"ordr"})", "unknown_name",
       R"(list_metrics {"entity":"order"})"},
      {"resolve_join", R"({"entity_a":"customer","entity_b":"agent"})", "ambiguous_path",
       R"(resolve_join {"entity_a":"customer","entity_b":"agent","name":"order_customer"})"},
      {"resolve_join", R"({"entity_a":"order","entity_b":"customer","name":"visit_agnt"})",
       "join_name_mismatch",
       R"(resolve_join {"entity_a":"order","entity_b":"customer","name":"order_customer"})"},
      {"resolve_join", R"({"entity_a":"customer","entity_b":"agent","name":"nothing"})",
       "unknown_join_name", ""},
      {"resolve_join", R"({"entity_a":"order","entity_b":"island"})", "no_canonical_join",
       R"(resolve_join {"entity_a":"order","entity_b":"agent","name":"order_agent"})"},
      {"resolve_join", R"({"entity_a":"island","entity_b":"order"})", "no_canonical_join",
       R"(resolve_join {"entity_a":"agent","entity_b":"order","name":"order_agent"})"},
      {"resolve_join", R"({"entity_a":"custmer","entity_b":"agnt"})", "unknown_name",
       R"(resolve_join {"entity_a":"customer","entity_b":"agent","name":"order_customer"})"},
      {"list_entities", R"({"source":"shp"})", "unknown_name",
       R"(list_entities {"source":"shop"})"},
      {"list_joins", R"({"cursor":"nonsense"})", "malformed_name", "list_joins {}"},
  };
  for (const Case& one : cases) {
    const Json envelope = Call(one.tool, one.args);
    EXPECT_EQ(KindOf(envelope), one.kind) << one.tool << one.args;
    if (!one.suggested.empty()) {
      EXPECT_EQ(Suggested(envelope), one.suggested);
    }
  }
}

TEST_F(SemanticCallsTest, DriftIsSaidWhereItIsMet) {
  Index("shop", kSchema);
  Define("shop");
  Index("shop", kGoneSchema);
  const Json customer = Call("describe_entity", R"({"name":"visit"})");
  EXPECT_EQ(KindOf(customer), "partial");
  EXPECT_EQ(customer["data"]["problems"][0]["object"], "visits");
  const Json joins = Call("list_joins", R"({"entity":"order"})");
  EXPECT_EQ(KindOf(joins), "partial");
  EXPECT_EQ(KindOf(Call("resolve_join", R"({"entity_a":"order","entity_b":"customer"})")),
            "schema_drift");
  EXPECT_EQ(KindOf(Call("resolve_join", R"({"entity_a":"order","entity_b":"visit"})")),
            "schema_drift");
}

TEST_F(SemanticCallsTest, OneNameInTwoSourcesAsksForOne) {
  Index("a", kSchema);
  Index("b", kSchema);
  Define("a");
  Define("b");
  const Json envelope = Call("describe_entity", R"({"name":"order"})");
  EXPECT_EQ(KindOf(envelope), "malformed_name");
  EXPECT_EQ(Suggested(envelope), R"(describe_entity {"name":"a:order"})");
  EXPECT_EQ(Call("describe_entity", R"({"name":"b:order"})")["data"]["source"], "b");
  EXPECT_EQ(
      Call("resolve_join", R"({"entity_a":"a:order","entity_b":"customer"})")["data"]["source"],
      "a");
}

// COVERS: R-SIZE-1
TEST_F(SemanticCallsTest, PagesHoldEachRowOnce) {
  Index("shop", kSchema);
  Define("shop");
  std::vector<std::string> names;
  std::string cursor;
  for (int page = 0; page < 5; ++page) {
    const Json args = cursor.empty() ? Json{{"limit", 2}} : Json{{"limit", 2}, {"cursor", cursor}};
    const Json envelope = Call("list_entities", args.dump());
    for (const Json& row : envelope["data"]["entities"]) names.push_back(row["name"]);
    if (envelope["data"]["next_cursor"].is_null()) break;
    cursor = envelope["data"]["next_cursor"].get<std::string>();
  }
  EXPECT_THAT(names, ElementsAre("agent", "customer", "island", "order", "visit"));
}

TEST_F(SemanticCallsTest, TheExampleCallOfAMetricWorks) {
  Index("shop", kSchema);
  Define("shop");
  const Json listed = Call("list_metrics", R"({"response_format":"detailed"})");
  Json example = listed["data"]["metrics"][0]["example_call"];
  EXPECT_EQ(example["name"], "revenue");
  EXPECT_EQ(listed["data"]["metrics"][0]["default_time_dimension"], "order.placed_at");
  example["compile_only"] = true;
  EXPECT_EQ(KindOf(Call("get_metric", example.dump())), "success");
}

}  // namespace
}  // namespace schemaward::app
