// What a policy keeps from a caller, by real calls: neither answered, nor named by an error that
// was not asked about it.
// MAKES: allowlist_violation

// MAKES: allowlist_violation
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
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kSchema = R"(
CREATE SCHEMA hr;
CREATE TABLE customers (id integer PRIMARY KEY, country text, email text);
CREATE TABLE orders (id integer PRIMARY KEY, customer_id integer REFERENCES customers (id), placed_at timestamptz, total numeric);
CREATE TABLE offices (id integer PRIMARY KEY, city text);
CREATE TABLE logins (email text UNIQUE, device text);
CREATE TABLE mails (id integer PRIMARY KEY, email text REFERENCES logins (email));
CREATE TABLE hr.salaries (id integer PRIMARY KEY, customer_id integer REFERENCES customers (id), office_id integer REFERENCES offices (id), band text, paid_at timestamptz);
CREATE VIEW reach AS SELECT id, lower(email) AS label, country FROM customers;
CREATE VIEW far_reach AS SELECT label AS tag, country FROM reach;
)";
constexpr std::pair<const char*, const char*> kDefinitions[] = {
    {"entity", "{name: customer, table: customers, identity: id}"},
    {"entity", "{name: order, table: orders, identity: id}"},
    {"entity", "{name: salary, table: hr.salaries, identity: id, synonyms: pay}"},
    {"entity", "{name: login, table: logins, identity: email}"},
    {"entity", "{name: mail, table: mails, identity: id}"},
    {"join", "{name: order_customer, from: order, to: customer, on: {customer_id: id}}"},
    {"join", "{name: salary_customer, from: salary, to: customer, on: {customer_id: id}}"},
    {"join", "{name: mail_login, from: mail, to: login, on: {email: email}}"},
    {"metric", "{name: revenue, entity: order, aggregation: sum, column: total}"},
    {"metric", "{name: salary_count, entity: salary, aggregation: count}"},
    {"metric",
     "{name: revenue_per_salary, type: ratio, numerator: revenue, denominator: salary_count}"},
};

class PolicyCallsTest : public ::testing::Test {
 protected:
  PolicyCallsTest() { Use("profile: team\n"); }

  // A new server under this policy.
  void Use(const std::string& policy) {
    std::ofstream(folder_.File("policy.yaml")) << policy;
    server_.reset();
    const auto nothing = [](const std::string&) { return std::optional<std::string>(); };
    application_ = std::make_unique<Application>(*Config::Load(
        {{"store", folder_.File("store.db")}, {"policy", folder_.File("policy.yaml")}}, nothing,
        folder_.File("")));
  }

  void Index(const std::string& name) {
    std::ofstream(folder_.File(name + ".sql")) << kSchema;
    const auto source = application_->AddSource("ddl:" + folder_.File(name + ".sql"), name);
    ASSERT_THAT(source, IsOk());
    CallContext ctx = application_->CommandContext();
    const auto connector = application_->Connect(*source, ctx);
    ASSERT_THAT(connector, IsOk());
    store::Store& store = **application_->Store(true);
    ASSERT_THAT(index::Run(**connector, store, *source, {}, ctx), IsOk());
    semantic::LoadedFiles loaded;
    for (const auto& [kind, text] : kDefinitions) semantic::ReadFile(text, "f.yaml", kind, loaded);
    const auto plan = semantic::PlanApply(store, *store.FindSource(name).value(), loaded, false);
    ASSERT_THAT(plan, IsOk());
    for (const auto& error : plan->errors) ADD_FAILURE() << error.ToText();
    ASSERT_THAT(store::ChangeDefinitions(store, source->id, plan->changes), IsOk());
  }

  Json Call(const std::string& who, const std::string& tool, const std::string& args) {
    if (server_ == nullptr)
      server_ = *ToolServer::Create(
          *application_, {.sets = {"catalog", "semantic", "sql"}, .served = {}, .on_stdio = false});
    CallContext ctx = application_->CommandContext();
    ctx.principal.id = who;
    const tool::Answer answer = server_->invoker().Invoke(tool, Json::parse(args), ctx);
    const Json envelope = Json::parse(answer.structured);
    if (envelope["error"].is_null()) return envelope;
    const Json& recovery = envelope["error"]["recovery"];
    const auto again = server_->invoker().Invoke(recovery["suggested_tool"].get<std::string>(),
                                                 recovery["suggested_args"], ctx);
    EXPECT_FALSE(again.is_error) << tool << args << recovery.dump() << " answers " << again.text;
    return envelope;
  }

  static std::string KindOf(const Json& envelope) {
    return envelope["error"].is_null() ? envelope["status"].get<std::string>()
                                       : envelope["error"]["kind"].get<std::string>();
  }

  store::TempFolder folder_;
  std::unique_ptr<Application> application_;
  std::unique_ptr<ToolServer> server_;
};

constexpr const char* kTwoCallers = R"(
profile: team
callers:
  - match: {principal: ana}
    deny: {schemas: [hr]}
  - match: {principal: eve}
    allow: {schemas: [public], entities: [customer, order], metrics: [revenue]}
)";

struct Asked {
  const char* tool;
  const char* args;
};

// What names nothing that is hidden: the same call tells bob of it, and ana and eve nothing.
TEST_F(PolicyCallsTest, WhatIsHiddenIsInNoAnswer) {
  Use(kTwoCallers);
  Index("shop");
  const Asked asked[] = {
      {"list_indexed_schemas", "{}"},
      {"find_relevant_tables", R"({"query":"*"})"},
      {"find_relevant_tables", R"({"query":"band of offices paid to customers"})"},
      {"find_relevant_tables", R"({"query":"zzzz hr.saleries"})"},
      {"find_relevant_entities", R"({"query":"who is paid"})"},
      {"find_relevant_entities", R"({"query":"*"})"},
      {"list_entities", "{}"},
      {"list_joins", "{}"},
      {"list_joins", R"({"entity":"customer"})"},
      {"list_metrics", R"({"response_format":"detailed"})"},
      {"describe_table", R"({"qualified_name":"public.customers"})"},
      {"describe_table", R"({"qualified_name":"hr.salries"})"},
      {"describe_column", R"({"qualified_name":"public.customers.id"})"},
      {"describe_column", R"({"qualified_name":"hr.salries.band"})"},
      {"describe_entity", R"({"name":"customer"})"},
      {"describe_entity", R"({"name":"salry"})"},
      {"suggest_joins", R"({"tables":["public.customers","public.offices"]})"},
      {"suggest_joins", R"({"tables":["public.customers","hr.salries"]})"},
      {"resolve_join", R"({"entity_a":"customer","entity_b":"salry"})"},
      {"get_metric", R"({"name":"slary_count","compile_only":true})"},
      {"get_example_queries", R"({"qualified_name":"hr.salries"})"},
      {"validate_query", R"({"sql":"SELECT band FROM salries"})"},
  };
  for (const Asked& one : asked) {
    const std::string label = fmt::format("{} {}", one.tool, one.args);
    const auto told = [&](const char* who) { return Call(who, one.tool, one.args).dump(); };
    const auto names_it = ::testing::AnyOf(HasSubstr("salar"), HasSubstr("\"hr\""));
    EXPECT_THAT(told("bob"), names_it) << label;
    EXPECT_THAT(told("ana"), Not(names_it)) << label;
    EXPECT_THAT(told("eve"), Not(names_it)) << label;
  }
}

// COVERS: R-REC-1
TEST_F(PolicyCallsTest, WhatIsAskedByNameIsRefusedByKind) {
  Use(kTwoCallers);
  Index("shop");
  const Asked asked[] = {
      {"describe_table", R"({"qualified_name":"hr.salaries"})"},
      {"describe_table", R"({"qualified_name":"salaries"})"},
      {"describe_column", R"({"qualified_name":"hr.salaries.band"})"},
      {"describe_column", R"({"qualified_name":"hr.salaries.bnd"})"},
      {"describe_entity", R"({"name":"salary"})"},
      {"suggest_joins", R"({"tables":["public.customers","hr.salaries"]})"},
      {"resolve_join", R"({"entity_a":"customer","entity_b":"salary"})"},
      {"get_metric", R"({"name":"salary_count","compile_only":true})"},
      {"get_metric", R"({"metrics":["revenue","salary_count"],"compile_only":true})"},
      {"get_metric", R"({"name":"revenue_per_salary","compile_only":true})"},
      {"get_example_queries", R"({"qualified_name":"hr.salaries"})"},
      {"execute_query", R"({"sql":"SELECT band FROM hr.salaries"})"},
      {"execute_query", R"({"sql":"SELECT bnd FROM hr.salaries"})"},
      {"validate_query", R"({"sql":"SELECT count(*) FROM public.orders o, hr.salaries s"})"},
  };
  for (const Asked& one : asked) {
    const std::string label = fmt::format("{} {}", one.tool, one.args);
    EXPECT_EQ(KindOf(Call("ana", one.tool, one.args)), "policy_blocked") << label;
    const Json eve = Call("eve", one.tool, one.args);
    EXPECT_EQ(KindOf(eve), "allowlist_violation") << label;
    EXPECT_TRUE(eve["error"]["recovery"]["widening_hint"].is_object()) << label;
    EXPECT_THAT(eve.dump(), Not(HasSubstr("band\"]"))) << label;
  }
}

// A column of a view is as personal as what it is made of, in a description as in a statement.
TEST_F(PolicyCallsTest, AViewIsDescribedByWhatItIsMadeOf) {
  Index("shop");
  const Json far = Call("bob", "describe_table", R"({"qualified_name":"public.far_reach"})");
  const Json& columns = far["data"]["columns"];
  EXPECT_EQ(columns[0]["personal"]["categories"], Json({"contact"}));
  EXPECT_EQ(columns[0]["personal"]["blocked"], true);
  EXPECT_FALSE(columns[1].contains("personal")) << far;
  const Json label = Call("bob", "describe_column", R"({"qualified_name":"public.reach.label"})");
  EXPECT_EQ(label["data"]["personal"]["blocked"], true) << label;
}

// Personal data comes before lists, and lists of what is allowed before what is denied.
TEST_F(PolicyCallsTest, TheFirstRefusalThatAppliesIsGiven) {
  Use("profile: team\nallow: {tables: [public.orders, public.offices]}\n"
      "deny: {tables: [public.offices]}\n");
  Index("shop");
  const auto kind = [&](const std::string& sql) {
    return KindOf(Call("bob", "validate_query", Json{{"sql", sql}}.dump()));
  };
  EXPECT_EQ(kind("SELECT c.email FROM public.customers c, public.offices o"), "pii_blocked");
  EXPECT_EQ(kind("SELECT c.country FROM public.offices o, public.customers c"),
            "allowlist_violation");
  EXPECT_EQ(kind("SELECT city FROM public.offices"), "policy_blocked");
  EXPECT_EQ(kind("SELECT total FROM public.orders"), "partial");  // a script has no plan
  EXPECT_EQ(kind("SELECT * FROM public.customers"), "pii_blocked");
  const Json star = Call("bob", "validate_query", R"({"sql":"SELECT * FROM public.customers"})");
  EXPECT_THAT(star["error"].dump(), Not(HasSubstr("email"))) << "a column of what is not listed";
}

TEST_F(PolicyCallsTest, HiddenNamesAreInNoAnswer) {
  Use("profile: strict\n");
  Index("shop");
  const Asked asked[] = {
      {"find_relevant_tables",
       R"({"query":"addresses of customers","response_format":"detailed"})"},
      {"find_relevant_entities", R"({"query":"customer logins"})"},
      {"describe_table", R"({"qualified_name":"public.logins","response_format":"detailed"})"},
      {"describe_table", R"({"qualified_name":"public.customers"})"},
      {"describe_column", R"({"qualified_name":"public.customers.emial"})"},
      {"describe_entity", R"({"name":"login"})"},
      {"list_entities", "{}"},
      {"list_joins", "{}"},
      {"suggest_joins", R"({"tables":["public.mails","public.logins"]})"},
      {"resolve_join", R"({"entity_a":"mail","entity_b":"login"})"},
      {"list_metrics", R"({"response_format":"detailed"})"},
      {"get_example_queries",
       R"({"qualified_name":"public.customers","response_format":"detailed"})"},
      {"get_example_queries", R"({"qualified_name":"public.mails"})"},
      {"validate_query", R"({"sql":"SELECT emial FROM public.customers"})"},
      {"validate_query", R"({"sql":"SELECT * FROM public.customers"})"},
  };
  for (const Asked& one : asked)
    EXPECT_THAT(Call("bob", one.tool, one.args).dump(), Not(HasSubstr("email")))
        << one.tool << one.args;
}

TEST_F(PolicyCallsTest, AMetricOverABlockedDimensionIsDecidedAsAnyStatement) {
  Index("shop");
  const Json grouped =
      Call("bob", "get_metric",
           R"({"name":"revenue","group_by":["customer.email"],"compile_only":true})");
  EXPECT_EQ(KindOf(grouped), "pii_blocked");
  EXPECT_THAT(grouped["error"]["recovery"].dump(), HasSubstr("\"revenue\""));
  EXPECT_EQ(
      KindOf(Call(
          "bob", "get_metric",
          R"({"name":"revenue","filters":[{"column":"customer.email","op":"=","value":"a"}],"compile_only":true})")),
      "pii_blocked");
  EXPECT_EQ(
      KindOf(Call("bob", "get_metric",
                  R"({"name":"revenue","group_by":["customer.country"],"compile_only":true})")),
      "success");
}

TEST_F(PolicyCallsTest, ExamplesReadNothingThatIsBlocked) {
  Index("shop");
  const Json column =
      Call("bob", "get_example_queries", R"({"qualified_name":"public.customers.email"})");
  EXPECT_THAT(column["data"].dump(), Not(HasSubstr("\\\"email\\\"")));
  const Json table = Call("bob", "get_example_queries",
                          R"({"qualified_name":"public.customers","response_format":"detailed"})");
  EXPECT_EQ(KindOf(table), "success");
  for (const Json& query : table["data"]["queries"])
    EXPECT_EQ(KindOf(Call("bob", "validate_query", Json{{"sql", query["sql_text"]}}.dump())),
              "partial")
        << query.dump();
}

// COVERS: R-NAME-1
TEST_F(PolicyCallsTest, EachSourceIsUnderItsOwnProfile) {
  Use("sources: {shop: {profile: dev}}\n");
  Index("shop");
  Index("vault");
  const auto email = [&](const std::string& source) {
    return Call("bob", "validate_query",
                Json{{"sql", "SELECT id, email FROM public.customers"}, {"source", source}}.dump());
  };
  const Json shop = email("shop");
  EXPECT_EQ(KindOf(shop), "partial") << shop.dump();
  EXPECT_EQ(shop["data"]["masked"], Json::parse(R"(["email"])"));
  EXPECT_EQ(KindOf(email("vault")), "pii_blocked");
}

}  // namespace
}  // namespace schemaward::app
