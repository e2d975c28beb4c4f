#include "tool/invoke.h"

#include <filesystem>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "audit/list.h"
#include "base/result_matchers.h"
#include "json/value.h"
#include "tool/lint.h"
#include "tool/renderer.h"

namespace schemaward::tool {
namespace {

namespace fs = std::filesystem;

struct Services {};

struct In {
  std::string qualified_name;
  std::int64_t limit = 10;
  void Bind(json::Fields& f) {
    f("qualified_name", qualified_name, "schema.table", {.required = true});
    f("limit", limit, "most rows", {.minimum = 1, .maximum = 100});
  }
};

struct Out {
  std::string said;
  void Bind(json::Fields& f) { f("said", said, "what was said"); }
};

struct NoArguments {
  void Bind(json::Fields& /*f*/) {}
};

// Knows one table, orders; the nearest name of any other is "odrers", which is wrong itself and
// mended by a second error.
Result<Outcome<Out>> Describe(const Services& /*s*/, const In& in, CallContext& /*ctx*/) {
  if (in.qualified_name == "main.orders") return Out{"orders"};
  if (in.qualified_name == "throw") throw std::runtime_error("boom at /home/someone");
  Error error(ErrorKind::UnknownTable, "table \"" + in.qualified_name + "\" is not in the index");
  error.Suggest("describe_table", in.qualified_name == "main.odrers"
                                      ? R"({"qualified_name":"main.orders"})"
                                      : R"({"qualified_name":"main.odrers"})");
  error.Near({"main.orders"});
  return error;
}

Result<Outcome<Out>> List(const Services& /*s*/, const NoArguments& /*in*/, CallContext& /*ctx*/) {
  return Out{"list"};
}

class InvokeTest : public ::testing::Test {
 protected:
  InvokeTest()
      : folder_(fs::temp_directory_path() /
                ("ward_invoke_" +
                 std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::vector<ToolPtr> tools;
    tools.push_back(MakeTool<NoArguments, Out>(
        {.name = "list_things", .title = "List", .description = "", .example_json = "{}"},
        services_, List));
    tools.push_back(MakeTool<In, Out>({.name = "describe_table",
                                       .title = "Describe",
                                       .description = "",
                                       .example_json = R"({"qualified_name":"main.orders"})"},
                                      services_, Describe));
    registry_ = std::make_unique<Registry>(std::move(tools), std::vector<std::string>{"catalog"});
    Open(folder_ / "audit.db");
  }
  ~InvokeTest() override {
    log_.reset();
    fs::remove_all(folder_);
  }

  void Open(const fs::path& audit) {
    audit::Options options;
    options.path = audit.string();
    options.clock = &clock_;
    log_ = *audit::Log::Create(options);
    invoker_ = std::make_unique<Invoker>(*registry_, *log_, InvokeOptions());
  }

  json::Value Envelope(std::string_view tool, const char* args) {
    CallContext ctx(clock_);
    answer_ = invoker_->Invoke(tool, json::Value::parse(args), ctx);
    return answer_.structured.empty() ? json::Value() : json::Value::parse(answer_.structured);
  }

  Services services_;
  SystemClock clock_;
  fs::path folder_;
  std::unique_ptr<Registry> registry_;
  std::unique_ptr<audit::Log> log_;
  std::unique_ptr<Invoker> invoker_;
  Answer answer_;
};

// Says how many calls the audit file holds while it runs: its own is one, once its begin is there.
struct AuditFile {
  std::string path;
};
struct Flagged {
  bool values = false;
  void Bind(json::Fields& f) { f("values", values, "reach the source"); }
};
Result<Outcome<Out>> CountBegins(const AuditFile& file, const Flagged& /*in*/, CallContext& /*c*/) {
  WARD_TRY(const auto calls, audit::List(file.path, {}));
  return Out{std::to_string(calls.size())};
}

TEST_F(InvokeTest, ACallThatAFlagLetsReachTheSourceWaitsForItsBegin) {
  const AuditFile file{(folder_ / "own.db").string()};
  std::vector<ToolPtr> tools;
  tools.push_back(MakeTool<Flagged, Out>({.name = "peek",
                                          .title = "Peek",
                                          .description = "",
                                          .effect = Effect::ReadsSource,
                                          .example_json = "{}",
                                          .source_flag = "values"},
                                         file, CountBegins));
  registry_ = std::make_unique<Registry>(std::move(tools), std::vector<std::string>{"catalog"});
  std::size_t calls = 0;
  for (const char* args : {R"({"values":true})", R"({"values":"true"})"}) {
    Open(folder_ / "own.db");
    EXPECT_EQ(Envelope("peek", args)["data"]["said"], std::to_string(++calls)) << args;
    ASSERT_THAT(log_->Flush(), IsOk());
  }
}

// Counts its calls, and fails where it is told to.
struct Counter {
  mutable int calls = 0;
};
Result<Outcome<Out>> Count(const Counter& counter, const In& in, CallContext& ctx) {
  ++counter.calls;
  if (in.qualified_name == "fails") return Error(ErrorKind::UnknownTable, "no such table");
  if (in.qualified_name == "warns") ctx.warnings.emplace_back("look");
  Outcome<Out> outcome(Out{std::to_string(counter.calls)});
  outcome.tables = {in.qualified_name};
  return outcome;
}

class RepeatedCalls : public InvokeTest {
 protected:
  RepeatedCalls() {
    std::vector<ToolPtr> tools;
    for (const bool repeats : {true, false})
      tools.push_back(MakeTool<In, Out>({.name = repeats ? "again" : "anew",
                                         .title = "Count",
                                         .description = "",
                                         .repeats = repeats,
                                         .example_json = R"({"qualified_name":"a"})"},
                                        counter_, Count));
    registry_ = std::make_unique<Registry>(std::move(tools), std::vector<std::string>{"catalog"});
    InvokeOptions options;
    options.stamp = [this] {
      auto now = stamp_;
      if (moves_ && now) ++stamp_->version;
      return now;
    };
    invoker_ = std::make_unique<Invoker>(*registry_, *log_, options);
  }
  int CallsAfter(std::string_view tool, const char* table) {
    (void)Envelope(tool, (R"({"qualified_name":")" + std::string(table) + R"("})").c_str());
    return counter_.calls;
  }

  Counter counter_;
  std::optional<StateStamp> stamp_ = StateStamp{1, 1};
  bool moves_ = false;
};

TEST_F(RepeatedCalls, AreAnsweredAgainWhileTheIndexIsTheSame) {
  EXPECT_EQ(CallsAfter("again", "a"), 1);
  EXPECT_EQ(CallsAfter("again", "a"), 1);
  EXPECT_EQ(CallsAfter("again", "b"), 2);
  stamp_->version = 2;
  EXPECT_EQ(CallsAfter("again", "a"), 3);
}

TEST_F(RepeatedCalls, RunWhereTheToolOrTheStateDoesNotPromiseTheSame) {
  EXPECT_EQ(CallsAfter("anew", "a"), 1);
  EXPECT_EQ(CallsAfter("anew", "a"), 2);
  stamp_.reset();
  EXPECT_EQ(CallsAfter("again", "a"), 3);
  EXPECT_EQ(CallsAfter("again", "a"), 4);
}

TEST_F(RepeatedCalls, AreNotKeptAfterAFailureAWarningOrAChangeMeanwhile) {
  for (const char* table : {"fails", "warns"}) {
    const int before = CallsAfter("again", table);
    EXPECT_EQ(CallsAfter("again", table), before + 1) << table;
  }
  moves_ = true;
  const int before = CallsAfter("again", "a");
  moves_ = false;
  EXPECT_EQ(CallsAfter("again", "a"), before + 1);
}

TEST_F(RepeatedCalls, SayTheSameAndLeaveARecordEach) {
  const json::Value first = Envelope("again", R"({"qualified_name":"a"})");
  const json::Value second = Envelope("again", R"({"qualified_name":"a"})");
  EXPECT_EQ(second["data"], first["data"]);
  ASSERT_THAT(log_->Flush(), IsOk());
  const auto calls = audit::List((folder_ / "audit.db").string(), {});
  ASSERT_THAT(calls, IsOk());
  ASSERT_EQ(calls->size(), 2u);
  for (const auto& call : *calls) EXPECT_EQ(call.status, "success");
}

// COVERS: R-ENV-4
TEST(Charter, AnErrorSaysItsReasonWhenToRetryAndWhatWasBlocked) {
  const auto said = [](Error error) {
    Reply reply;
    reply.error = std::move(error);
    const Answer answer = RendererOf(Family::Charter).Render(reply, {});
    return json::Value::parse(answer.structured)["error"];
  };
  for (const ErrorRow& row : AllErrorRows()) {
    if (row.kind == "invalid_argument") continue;  // has no envelope
    const json::Value error = said(Error(row.id, "m"));
    EXPECT_EQ(error["kind"], row.kind);
    EXPECT_EQ(error["reason"], row.reason);
    EXPECT_EQ(error["retryable"], row.retryable) << row.reason;
    EXPECT_TRUE(error["retry_after_ms"].is_null()) << row.reason;
    EXPECT_TRUE(error["pii_categories"].is_null()) << row.reason;
  }
  EXPECT_EQ(said(Error(ErrorKind::PoolFull, "m").RetryAfter(250))["retry_after_ms"], 250);
  EXPECT_EQ(
      said(Error(ErrorKind::PiiBlocked, "m").Categories({"health", "contact"}))["pii_categories"]
          .dump(),
      R"(["contact","health"])");
}

// COVERS: R-ENV-1 R-ENV-2 R-ENV-5
TEST_F(InvokeTest, AnswersInTheEnvelope) {
  const json::Value envelope = Envelope("describe_table", R"({"qualified_name":"main.orders"})");
  EXPECT_EQ(
      answer_.structured,
      R"({"status":"success","data":{"said":"orders"},"error":null,"confidence":"HIGH","provenance":{"source":"schema","model":null,"observed_in":null,"inference_method":null,"validation_state":null},"follow_up_hints":["list_things"],"degradation_reason":null,"charter_version":"1.2"})");
  EXPECT_EQ(answer_.text, answer_.structured);
  EXPECT_FALSE(answer_.is_error);
  EXPECT_EQ(answer_.exit_code, 0);
}

// COVERS: R-REC-1 R-REC-2
TEST_F(InvokeTest, ASuggestionThatWouldFailIsMendedByItsOwnRecovery) {
  const json::Value envelope = Envelope("describe_table", R"({"qualified_name":"main.nothing"})");
  EXPECT_TRUE(answer_.is_error);
  EXPECT_EQ(envelope["error"]["kind"], "unknown_name");
  EXPECT_EQ(envelope["error"]["recovery"]["suggested_tool"], "describe_table");
  EXPECT_EQ(envelope["error"]["recovery"]["suggested_args"].dump(),
            R"({"qualified_name":"main.orders"})");
  EXPECT_EQ(envelope["confidence"], nullptr);
  EXPECT_EQ(envelope["follow_up_hints"], nullptr);
}

// Counts one thing, "orders"; "notes" are described only: they can be asked for without a count.
struct Thing {
  std::string name;
  bool dry = false;
  void Bind(json::Fields& f) {
    f("name", name, "thing", {.required = true});
    f("dry", dry, "count nothing");
  }
};
Result<Outcome<Out>> Count(const Services& /*s*/, const Thing& in, CallContext& /*ctx*/) {
  if (in.name != "orders" && in.name != "notes") {
    Error error(ErrorKind::UnknownTable, "no such thing");
    error.Suggest("count", in.name == "order" ? R"({"name":"orders"})" : R"({"name":"notes"})");
    return error;
  }
  Outcome<Out> outcome(Out{"3"});
  outcome.rehearsal_only = in.name == "notes";
  if (outcome.rehearsal_only && !in.dry) return Error(ErrorKind::EngineUnavailable, "only words");
  return outcome;
}

TEST_F(InvokeTest, WhatCanOnlyBeRehearsedIsSuggestedAsARehearsal) {
  std::vector<ToolPtr> tools;
  tools.push_back(MakeTool<Thing, Out>({.name = "count",
                                        .title = "Count",
                                        .description = "",
                                        .effect = Effect::ReadsSource,
                                        .example_json = R"({"name":"orders"})",
                                        .rehearsal = "dry"},
                                       services_, Count));
  registry_ = std::make_unique<Registry>(std::move(tools), std::vector<std::string>{"catalog"});
  Open(folder_ / "count.db");
  const auto suggested = [&](const char* args) {
    return Envelope("count", args)["error"]["recovery"]["suggested_args"].dump();
  };
  EXPECT_EQ(suggested(R"({"name":"order"})"), R"({"name":"orders"})");
  EXPECT_EQ(suggested(R"({"name":"note"})"), R"({"dry":true,"name":"notes"})");
}

// COVERS: R-ARG-2
TEST_F(InvokeTest, InvalidArgumentsComeWithTheRepairedCall) {
  Envelope("describe_table", R"({"qualified_nam":"main.orders","limit":0})");
  EXPECT_TRUE(answer_.is_error);
  EXPECT_TRUE(answer_.structured.empty());
  const std::string last = answer_.text.substr(answer_.text.rfind('\n') + 1);
  EXPECT_EQ(
      last,
      R"({"kind":"invalid_argument","suggested_tool":"describe_table","suggested_args":{"limit":1,"qualified_name":"main.orders"}})");
  EXPECT_THAT(answer_.text,
              ::testing::HasSubstr(
                  "argument \"qualified_nam\" is not known; allowed: qualified_name, limit"));
}

// COVERS: R-ARG-2
TEST_F(InvokeTest, AnUnknownToolNamesTheNearest) {
  Envelope("describe_tabel", R"({"qualified_name":"main.orders"})");
  EXPECT_THAT(answer_.text,
              ::testing::HasSubstr(
                  "no tool is named \"describe_tabel\"; the nearest is \"describe_table\""));
  EXPECT_THAT(
      answer_.text,
      ::testing::HasSubstr(
          R"("suggested_tool":"describe_table","suggested_args":{"qualified_name":"main.orders"})"));
}

// COVERS: R-REC-3
TEST_F(InvokeTest, WhatIsThrownStaysPrivate) {
  const json::Value envelope = Envelope("describe_table", R"({"qualified_name":"throw"})");
  EXPECT_EQ(envelope["error"]["kind"], "internal_error");
  EXPECT_EQ(envelope["error"]["recovery"]["suggested_tool"], "list_things");
  EXPECT_THAT(answer_.text, ::testing::Not(::testing::HasSubstr("boom")));
  EXPECT_THAT(answer_.text, ::testing::Not(::testing::HasSubstr("/home")));
}

// COVERS: R-ENV-3
TEST_F(InvokeTest, NothingRunsThatCannotBeRecorded) {
  fs::create_directories(folder_ / "a_folder.db");
  Open(folder_ / "a_folder.db");
  CallContext ctx(clock_);
  json::Value envelope;
  // An index-only call is refused from the first failed write on; the write happens in the
  // background.
  for (int i = 0; i < 200 && envelope["status"] != "refused"; ++i) {
    envelope = Envelope("describe_table", R"({"qualified_name":"main.orders"})");
    (void)log_->Flush();
  }
  EXPECT_EQ(envelope["status"], "refused");
  EXPECT_EQ(envelope["error"]["kind"], "policy_blocked");
  EXPECT_EQ(envelope["error"]["reason"], "audit_unavailable");
}

TEST_F(InvokeTest, ACallerOverHttpNeedsTheScopesOfTheSet) {
  invoker_ = std::make_unique<Invoker>(
      *registry_, *log_, InvokeOptions{.scopes = {{"catalog", {{"ward.read"}, {"ward.tables"}}}}});
  const auto call = [&](std::string transport, std::vector<std::string> scopes) {
    CallContext ctx(clock_);
    ctx.principal.transport = std::move(transport);
    ctx.principal.scopes = std::move(scopes);
    return invoker_->Invoke("list_things", json::Value::object(), ctx);
  };
  EXPECT_FALSE(call("http", {"ward.tables", "ward.read"}).is_error);
  EXPECT_FALSE(call("stdio", {}).is_error);
  const Answer refused = call("http", {"ward.read", "ward.sql"});
  EXPECT_THAT(refused.scopes_needed, testing::ElementsAre("ward.read", "ward.tables"));
  const auto envelope = json::Value::parse(refused.structured);
  EXPECT_EQ(envelope["status"], "refused");
  EXPECT_EQ(envelope["error"]["kind"], "policy_blocked");
  const json::Value recovery = envelope["error"]["recovery"];
  EXPECT_EQ(recovery["widening_hint"]["scope_requested"], "ward.read ward.tables");
}

TEST_F(InvokeTest, OfAChoiceOfScopesAnyOneIsEnough) {
  invoker_ = std::make_unique<Invoker>(
      *registry_, *log_,
      InvokeOptions{.scopes = {{"catalog", {{"ward.read", "ward.admin"}, {"ward.tables"}}}}});
  const auto call = [&](std::vector<std::string> scopes) {
    CallContext ctx(clock_);
    ctx.principal.transport = "http";
    ctx.principal.scopes = std::move(scopes);
    return invoker_->Invoke("list_things", json::Value::object(), ctx);
  };
  EXPECT_FALSE(call({"ward.read", "ward.tables"}).is_error);
  EXPECT_FALSE(call({"ward.tables", "ward.admin"}).is_error);
  EXPECT_THAT(call({"ward.read", "ward.admin"}).scopes_needed,
              testing::ElementsAre("ward.read", "ward.tables"));
  EXPECT_THAT(call({"ward.admin"}).scopes_needed, testing::ElementsAre("ward.admin", "ward.tables"))
      << "what the caller has is enough of the choice";
  const auto refused = json::Value::parse(call({"ward.tables"}).structured);
  EXPECT_EQ(
      refused["error"]["message"],
      "tool \"list_things\" needs a token with the scope \"ward.read\" or \"ward.admin\", and "
      "\"ward.tables\"");
  EXPECT_EQ(refused["error"]["recovery"]["widening_hint"]["scope_requested"],
            "ward.read ward.tables");
}

// COVERS: R-REC-1
TEST_F(InvokeTest, WhoMayUseNoToolIsSuggestedNone) {
  privacy::PolicyData denies_all;
  denies_all.everyone.tools = {{std::nullopt, {"*"}}};
  const InvokeOptions options[] = {{.scopes = {{"catalog", {{"ward.read"}}}}},
                                   {.policy = privacy::Policy(denies_all)}};
  for (const InvokeOptions& option : options) {
    invoker_ = std::make_unique<Invoker>(*registry_, *log_, option);
    CallContext ctx(clock_);
    ctx.principal.transport = "http";
    const Answer refused = invoker_->Invoke("list_things", json::Value::object(), ctx);
    const auto envelope = json::Value::parse(refused.structured);
    const json::Value recovery = envelope["error"]["recovery"];
    ASSERT_TRUE(recovery.is_object()) << refused.structured;
    EXPECT_TRUE(recovery["suggested_tool"].is_null());
    EXPECT_TRUE(recovery["suggested_args"].is_null());
    EXPECT_THAT(invoker_->Invoke("list_thing", json::Value::object(), ctx).text,
                testing::HasSubstr(R"("suggested_tool":null,"suggested_args":null)"));
  }
}

TEST_F(InvokeTest, NoScopeOpensWhatThePolicyDenies) {
  privacy::PolicyData data;
  data.everyone.tools = {{std::nullopt, {"list_things"}}};
  invoker_ = std::make_unique<Invoker>(
      *registry_, *log_,
      InvokeOptions{.policy = privacy::Policy(data), .scopes = {{"catalog", {{"ward.read"}}}}});
  CallContext ctx(clock_);
  ctx.principal.transport = "http";
  const Answer refused = invoker_->Invoke("list_things", json::Value::object(), ctx);
  EXPECT_TRUE(refused.is_error);
  EXPECT_THAT(refused.scopes_needed, testing::IsEmpty());
}

TEST_F(InvokeTest, LeavesABeginAndAnEnd) {
  Envelope("describe_table", R"({"qualified_name":"main.nothing"})");
  ASSERT_THAT(log_->Flush(), IsOk());
  const auto calls = audit::List((folder_ / "audit.db").string(), {});
  ASSERT_THAT(calls, IsOk());
  ASSERT_EQ(calls->size(), 1u);
  EXPECT_EQ(calls->front().tool, "describe_table");
  EXPECT_EQ(calls->front().status, "error");
  EXPECT_EQ(calls->front().reason, "unknown_table");
}

TEST_F(InvokeTest, TheDeadlineOfACallEndsWithIt) {
  CallContext ctx(clock_);
  const json::Value args = json::Value::parse(R"({"qualified_name":"main.orders"})");
  invoker_->Invoke("describe_table", args, ctx);
  EXPECT_FALSE(ctx.deadline.IsSet());
  ctx.deadline = Deadline::After(clock_, std::chrono::hours(1));
  const auto hour = ctx.deadline.at();
  invoker_->Invoke("describe_table", args, ctx);
  EXPECT_EQ(ctx.deadline.at(), hour);
}

TEST_F(InvokeTest, ACancelledCallDoesNotRun) {
  std::stop_source stop;
  stop.request_stop();
  CallContext ctx(clock_);
  ctx.stop = stop.get_token();
  const Answer answer = invoker_->Invoke(
      "describe_table", json::Value::parse(R"({"qualified_name":"main.orders"})"), ctx);
  EXPECT_THAT(answer.text, ::testing::HasSubstr(R"("reason":"cancelled")"));
}

// COVERS: R-META-1
TEST_F(InvokeTest, DefinitionsCarryAnnotationsAndMeta) {
  const json::Value definition =
      json::Value::parse(DefinitionJson(*registry_->Find("describe_table"), true));
  EXPECT_EQ(definition["annotations"]["readOnlyHint"], true);
  EXPECT_EQ(definition["annotations"]["openWorldHint"], true);
  EXPECT_EQ(definition["_meta"]["schemaward/side_effects"], "read");
  EXPECT_EQ(definition["_meta"]["schemaward/latency_hint"], "fast");
  EXPECT_EQ(definition["outputSchema"]["type"], "object");
  EXPECT_FALSE(json::Value::parse(DefinitionJson(*registry_->Find("describe_table"), false))
                   .contains("outputSchema"));
}

// COVERS: R-FAM-2
TEST(Renderers, GiveOneErrorInThreeShapes) {
  Reply reply;
  reply.error = Error(ErrorKind::UnknownTable, "table \"x\" is not in the index");
  reply.error->Suggest("list_things", "{}");
  const RenderInfo info{1500, 1'767'225'600'000'000, "someone"};
  EXPECT_THAT(RendererOf(Family::Charter).Render(reply, info).structured,
              ::testing::HasSubstr(R"("kind":"unknown_name","reason":"unknown_table")"));
  EXPECT_EQ(
      RendererOf(Family::Pattern).Render(reply, info).structured,
      R"({"kind":"toolError:v1","code":"NOT_FOUND","message":"Resource not found: table \"x\" is not in the index","retryable":false,"details":{"statusCode":404}})");
  EXPECT_EQ(
      RendererOf(Family::Workspace).Render(reply, info).structured,
      R"({"status":"error","message":"table \"x\" is not in the index","error_code":"RESOURCE_NOT_FOUND","error_details":{"exception":"unknown_table","retryable":false},"metadata":{"execution_time_ms":1.50,"timestamp":"2026-01-01T00:00:00.000000+00:00","user_id":"someone"}})");
}

// COVERS: R-FAM-3
TEST(Renderers, SayEveryKindAndReasonInEachFamilyFromOneTable) {
  const RenderInfo info{1500, 1'767'225'600'000'000, ""};
  for (const ErrorRow& row : AllErrorRows()) {
    Reply reply;
    reply.error = Error(row.id, "m");
    for (const Family family : {Family::Charter, Family::Pattern, Family::Workspace}) {
      const Answer answer = RendererOf(family).Render(reply, info);
      EXPECT_TRUE(answer.is_error) << row.reason;
      EXPECT_EQ(answer.exit_code, row.exit_code) << row.reason;
    }
    const auto charter = RendererOf(Family::Charter).Render(reply, info);
    if (row.kind == "invalid_argument")
      EXPECT_THAT(charter.text, ::testing::HasSubstr(R"("kind":"invalid_argument")"));
    else
      EXPECT_EQ(json::Value::parse(charter.structured)["error"]["reason"], row.reason);
    const auto pattern =
        json::Value::parse(RendererOf(Family::Pattern).Render(reply, info).structured);
    EXPECT_EQ(pattern["kind"], "toolError:v1");
    EXPECT_FALSE(pattern["code"].get<std::string>().empty()) << row.reason;
    const auto workspace =
        json::Value::parse(RendererOf(Family::Workspace).Render(reply, info).structured);
    EXPECT_EQ(workspace["error_code"], row.workspace_code);
    EXPECT_EQ(workspace["error_details"]["exception"], row.reason);
    EXPECT_EQ(workspace["error_details"]["retryable"], row.retryable);
    EXPECT_FALSE(workspace.contains("data"));
  }
}

// COVERS: R-WS-1
TEST(WorkspaceRenderer, SaysAToolsOwnCodeAndItsFacts) {
  Reply reply;
  reply.error = Error(ErrorKind::SqlRuntime, "SQL query failed: no");
  reply.code = "SQL_EXECUTION_ERROR";
  reply.facts = {{"errno", "1365"}, {"exception", "\"finer\""}};
  const auto answer =
      json::Value::parse(RendererOf(Family::Workspace).Render(reply, {}).structured);
  EXPECT_EQ(answer["error_code"], "SQL_EXECUTION_ERROR");
  EXPECT_EQ(answer["error_details"]["errno"], 1365);
  EXPECT_EQ(answer["error_details"]["exception"], "finer");
  EXPECT_EQ(answer["error_details"]["category"], "QUERY_EXECUTION_ERROR");
  EXPECT_FALSE(answer.contains("warning_details"));
  EXPECT_FALSE(answer["metadata"].contains("user_id"));
}

// COVERS: R-WS-1
TEST(WorkspaceRenderer, AnAnswerThatIsCutIsAWarningWithItsReason) {
  Reply reply;
  reply.data_json = R"({"n":1})";
  reply.message = "done in part";
  reply.user_id = "u-1";
  auto answer = json::Value::parse(RendererOf(Family::Workspace).Render(reply, {}).structured);
  EXPECT_EQ(answer["status"], "success");
  EXPECT_FALSE(answer.contains("warning_details"));
  EXPECT_FALSE(answer.contains("error_code"));
  EXPECT_EQ(answer["metadata"]["user_id"], "u-1");
  reply.warning = "cut";
  answer = json::Value::parse(RendererOf(Family::Workspace).Render(reply, {}).structured);
  EXPECT_EQ(answer["status"], "warning");
  EXPECT_EQ(answer["warning_details"], "cut");
}

// COVERS: R-ENV-5
TEST(Renderers, AnErrorFits8000Characters) {
  Reply reply;
  reply.error = Error(ErrorKind::UnknownTable, std::string(20'000, 'm'));
  reply.error->Detail(std::string(20'000, 'd'))
      .Hint(std::string(20'000, 'h'))
      .Suggest("t", R"({"a":")" + std::string(2'900, 'x') + "\"}");
  reply.error->Near({std::string(400, 'a'), std::string(400, 'b'), std::string(400, 'c')});
  EXPECT_LE(RendererOf(Family::Charter).Render(reply, {}).structured.size(), 8'000u);
  reply.facts = {{"names", json::Quote(std::string(3'000, 'n'))},
                 {"more", json::Quote(std::string(3'000, 'n'))}};
  EXPECT_LE(RendererOf(Family::Workspace).Render(reply, {}).structured.size(), 8'000u);
}

TEST(Lint, ADescriptionIsHeldToEachRule) {
  const ToolSpec good{.name = "describe_table",
                      .title = "T",
                      .description =
                          "Use this when you know the table. Use find_relevant_tables instead when "
                          "you do not. Common composition: both.",
                      .example_json = "{}"};
  const std::vector<std::string> served = {"describe_table", "find_relevant_tables"};
  EXPECT_TRUE(LintDescription(good, served).empty());
  struct Case {
    std::string rule, description;
  };
  const Case cases[] = {
      {"use-when", "Describes a table. Use x instead when. Common composition."},
      {"alternative", "Use this when you know the table. Common composition: both."},
      {"composition", "Use this when you know the table. Use another instead when you do not."},
      {"length", good.description + std::string(500, 'x')},
      {"first-sentence", "Use this when you know the table" + std::string(80, 'x') +
                             ". Use another instead when. Common composition."},
      {"object", "Use this when you know it. Use another instead when. Common composition."},
      {"served",
       "Use this when you know the table. Use get_metric instead when. Common composition."},
  };
  for (const Case& c : cases) {
    ToolSpec bad = good;
    bad.description = c.description;
    const auto findings = LintDescription(bad, served);
    ASSERT_EQ(findings.size(), 1u) << c.rule;
    EXPECT_EQ(findings.front().rule, c.rule);
  }
  ToolSpec bad_name = good;
  bad_name.name = "Describe-table";
  EXPECT_EQ(LintDescription(bad_name, served).front().rule, "name");
  ToolSpec pattern = good;
  pattern.family = Family::Pattern;
  EXPECT_EQ(LintDescription(pattern, served).front().rule, "family");
}

// COVERS: R-DESC-1
TEST(Lint, NoClientMeetsAKeyThatItDoesNotKnow) {
  const std::string out = R"({"type":"object","properties":{}})";
  for (const std::string key :
       {R"("$ref":"#/a")", R"("$defs":{})", R"("const":1)", R"("not":{})", R"("uniqueItems":true)",
        R"("exclusiveMinimum":0)", R"("patternProperties":{})", R"("if":{})", R"("nullable":true)",
        R"("format":"date")", R"("examples":[])"}) {
    const auto findings = LintSchemas(
        "t",
        R"({"type":"object","properties":{"a":{"type":"integer","description":"d",)" + key + "}}}",
        out);
    ASSERT_EQ(findings.size(), 1u) << key;
    EXPECT_EQ(findings.front().rule, "input-subset") << key;
  }
}

TEST(Lint, SchemasStayInTheSubset) {
  const std::string good_out = R"({"type":"object","properties":{}})";
  EXPECT_TRUE(
      LintSchemas("t",
                  R"({"type":"object","properties":{"a":{"type":"string","description":"d"}}})",
                  good_out)
          .empty());
  struct Case {
    std::string rule, input, output;
  };
  const Case cases[] = {
      {"input-object", R"({"type":"array"})", good_out},
      {"input-subset",
       R"({"type":"object","properties":{"a":{"type":["string","null"],"description":"d"}}})",
       good_out},
      {"input-subset", R"({"type":"object","properties":{"a":{"type":"string"}}})", good_out},
      {"input-subset",
       R"({"type":"object","properties":{"a":{"type":"array","items":{"anyOf":[]},"description":"d"}}})",
       good_out},
      {"input-subset", R"({"type":"object","additionalProperties":false})", good_out},
      {"output-object", R"({"type":"object"})", R"({"anyOf":[]})"},
      {"output-union", R"({"type":"object"})", R"({"type":"object","oneOf":[]})"},
  };
  for (const Case& c : cases) {
    const auto findings = LintSchemas("t", c.input, c.output);
    ASSERT_EQ(findings.size(), 1u) << c.rule << c.input;
    EXPECT_EQ(findings.front().rule, c.rule);
  }
}

TEST_F(InvokeTest, LintReadsAnswersAgainstTheirSchema) {
  const Tool& tool = *registry_->Find("describe_table");
  Envelope("describe_table", R"({"qualified_name":"main.orders"})");
  EXPECT_TRUE(LintAnswer(tool, answer_).empty());
  struct Case {
    std::string rule, from, to;
  };
  const Case cases[] = {{"answer-schema", R"("said":"orders")", R"("said":7)"},
                        {"envelope", R"("status":"success")", R"("status":"degraded")"},
                        {"envelope", R"(["list_things"])", "null"},
                        {"structured", "{\"status\"", "[\"status\""}};
  for (const Case& c : cases) {
    Answer bad = answer_;
    bad.structured.replace(bad.structured.find(c.from), c.from.size(), c.to);
    bad.text = bad.structured;
    const auto findings = LintAnswer(tool, bad);
    ASSERT_FALSE(findings.empty()) << c.rule;
    EXPECT_EQ(findings.front().rule, c.rule);
  }
  Answer untwinned = answer_;
  untwinned.text += ' ';
  EXPECT_EQ(LintAnswer(tool, untwinned).front().rule, "text-twin");
  Envelope("describe_table", R"({"qualified_name":"throw"})");
  EXPECT_EQ(LintAnswer(tool, answer_).front().rule, "happy-path");
}

TEST(LintSet, HoldsTheSetToItsRules) {
  const Services services;
  const auto make = [&](std::string name, Effect effect, std::string description,
                        std::string example) {
    return MakeTool<In, Out>({.name = std::move(name),
                              .title = "T",
                              .description = std::move(description),
                              .effect = effect,
                              .example_json = std::move(example)},
                             services, Describe);
  };
  const ToolPtr a = make("a", Effect::ReadsIndex, "First.", R"({"qualified_name":"x"})");
  const ToolPtr b = make("b", Effect::ReadsIndex, "Second.", R"({"qualified_name":"x"})");
  EXPECT_TRUE(LintSet({a.get(), b.get()}, true).empty());
  const ToolPtr same =
      make("c", Effect::ReadsIndex, "First. But other.", R"({"qualified_name":"x"})");
  EXPECT_EQ(LintSet({a.get(), same.get()}, true).front().rule, "first-sentence-differs");
  const ToolPtr writes = make("d", Effect::WritesSource, "Third.", R"({"qualified_name":"x"})");
  EXPECT_EQ(LintSet({writes.get()}, true).front().rule, "read-only");
  EXPECT_TRUE(LintSet({writes.get()}, false).empty());
  const ToolPtr unreadable = make("e", Effect::ReadsIndex, "Fourth.", "{}");
  EXPECT_EQ(LintSet({unreadable.get()}, true).front().rule, "example");
  const ToolPtr long_one = make("f", Effect::ReadsIndex, "Fifth." + std::string(17'000, 'x'),
                                R"({"qualified_name":"x"})");
  EXPECT_EQ(LintSet({long_one.get()}, true).front().rule, "set-tokens");
}

}  // namespace
}  // namespace schemaward::tool
