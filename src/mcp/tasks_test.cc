// COVERS: R-MCP-1 R-MCP-4
// Tasks by themselves, and over a whole server in memory in both eras.
#include "mcp/tasks.h"

#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/result_matchers.h"
#include "mcp/test_hear.h"
#include "mcp/test_support.h"

namespace schemaward::mcp {
namespace {

using json::Value;
using mcp::testing::TestServer;
using std::chrono::milliseconds;
using ::testing::HasSubstr;

TaskAnswer Said(std::string members) { return {std::move(members), false}; }

TEST(Tasks, ATaskIsItsOwnersAlone) {
  const FakeClock clock;
  Tasks tasks(clock);
  const TaskPtr task = *tasks.Begin("p", kTaskLife);
  EXPECT_EQ(task->id().size(), 32U);
  EXPECT_EQ(tasks.Find("p", task->id()), task);
  EXPECT_EQ(tasks.Find("q", task->id()), nullptr);
  EXPECT_EQ(tasks.Find("p", "another"), nullptr);
  EXPECT_TRUE(tasks.Of("q").empty());
  task->End(Said(""));
}

// As many as may be kept, each owner's together.
std::vector<TaskPtr> Fill(Tasks& tasks) {
  std::vector<TaskPtr> begun;
  for (std::size_t i = 0; i < kTasksMax; ++i) {
    const auto task = tasks.Begin(std::to_string(i / kTasksOfOwnerMax), kTaskLife);
    EXPECT_TRUE(task) << i;
    if (task) begun.push_back(*task);
  }
  return begun;
}

TEST(Tasks, AnOwnerHasABoundedNumberUnderWayAndSoHaveAll) {
  const FakeClock clock;
  Tasks tasks(clock);
  const std::vector<TaskPtr> all = Fill(tasks);
  EXPECT_THAT(tasks.Begin("0", kTaskLife), IsError(ErrorKind::RateLimited));
  EXPECT_THAT(tasks.Begin("new", kTaskLife), IsError(ErrorKind::RateLimited));
  all.front()->Cancel();
  EXPECT_THAT(tasks.Begin("0", kTaskLife), IsError(ErrorKind::RateLimited))
      << "its call goes on all the same";
  for (const TaskPtr& task : all) task->End(Said(""));
}

TEST(Tasks, ANewTaskTakesThePlaceOfItsOwnersThatEndedFirst) {
  FakeClock clock;
  Tasks tasks(clock);
  const std::vector<TaskPtr> all = Fill(tasks);
  all[kTasksOfOwnerMax]->End(Said(""));  // of another, and before
  for (const std::size_t i : {2U, 1U}) {
    clock.Advance(milliseconds(1));
    all[i]->End(Said(""));
  }
  ASSERT_TRUE(tasks.Begin("0", kTaskLife));
  EXPECT_EQ(tasks.Find("0", all[2]->id()), nullptr);
  EXPECT_EQ(tasks.Find("0", all[1]->id()), all[1]) << "which ended later";
  EXPECT_EQ(tasks.Of("0").size(), kTasksOfOwnerMax);
  EXPECT_EQ(tasks.Of("1").size(), kTasksOfOwnerMax);
}

TEST(Tasks, WhoHasFewerTasksTakesThePlaceOfAnothersThatHasEnded) {
  FakeClock clock;
  Tasks tasks(clock);
  const std::vector<TaskPtr> all = Fill(tasks);
  all[kTasksMax - 1]->End(Said(""));
  const auto own = tasks.Begin("new", kTaskLife);
  ASSERT_TRUE(own);
  EXPECT_EQ(tasks.Of("7").size(), kTasksOfOwnerMax - 1);
  (*own)->End(Said(""));
  clock.Advance(milliseconds(1));
  all[0]->End(Said(""));
  clock.Advance(milliseconds(1));
  EXPECT_TRUE(tasks.Begin("new", kTaskLife));
  EXPECT_EQ(tasks.Find("new", (*own)->id()), nullptr) << "its own before another's";
  EXPECT_EQ(tasks.Of("0").size(), kTasksOfOwnerMax);
}

TEST(Tasks, WhatHasEndedIsKeptForItsTimeAndThenForgottenWhoeverComesBy) {
  FakeClock clock;
  Tasks tasks(clock);
  std::weak_ptr<Task> kept;
  {
    const TaskPtr task = *tasks.Begin("p", kTaskLife);
    kept = task;
    task->End(Said("an answer"));
  }
  clock.Advance(kTaskLife - milliseconds(1));
  tasks.Tidy();
  EXPECT_FALSE(kept.expired());
  clock.Advance(milliseconds(1));
  const TaskPtr other = *tasks.Begin("q", kTaskLife);
  EXPECT_TRUE(kept.expired());
  kept = other;
  other->End(Said(""));
}

TEST(Tasks, ALifeIsBounded) {
  FakeClock clock;
  Tasks tasks(clock);
  const TaskPtr task = *tasks.Begin("p", kTaskLifeMax * 2);
  EXPECT_EQ(task->life(), kTaskLifeMax);
  task->End(Said(""));
}

TEST(Tasks, ACallThatOutlivesItsTaskIsStopped) {
  FakeClock clock;
  Tasks tasks(clock);
  const TaskPtr task = *tasks.Begin("p", milliseconds(10));
  clock.Advance(milliseconds(10));
  EXPECT_EQ(tasks.Find("p", task->id()), nullptr);
  EXPECT_TRUE(task->stop().stop_requested());
  EXPECT_FALSE(task->ended()) << "the call goes on";
  task->End(Said(""));
  EXPECT_TRUE(task->ended());
}

TEST(Tasks, AnAnswerThatIsTooLongIsAFailureThatSaysSo) {
  const FakeClock clock;
  for (const std::size_t more : {0U, 1U}) {
    Task task("id", clock, kTaskLife);
    task.End(Said(std::string(kTaskBytesMax + more, 'x')));
    EXPECT_EQ(task.view().status, more == 0 ? TaskStatus::Completed : TaskStatus::Failed) << more;
  }
}

TEST(Tasks, WhatIsCancelledStaysSo) {
  const FakeClock clock;
  Task task("id", clock, kTaskLife);
  EXPECT_TRUE(task.Cancel());
  EXPECT_FALSE(task.Cancel());
  task.End(Said("late"));
  EXPECT_EQ(task.view().status, TaskStatus::Cancelled);
  EXPECT_TRUE(std::holds_alternative<rpc::Failure>(*task.view().end));
}

TEST(Tasks, QuestionsWaitUntilEachHasItsAnswer) {
  const SystemClock clock;
  Task task("id", clock, kTaskLife);
  CallContext ctx(clock);
  std::vector<std::string> answers;
  std::thread call([&] { answers = *task.Ask({{"m", "1"}, {"m", "2"}}, ctx); });
  while (task.view().questions.size() < 2) std::this_thread::yield();
  EXPECT_EQ(task.view().status, TaskStatus::InputRequired);
  task.Give("ask-2", "\"b\"");
  task.Give("ask-2", "\"again\"");
  task.Give("nobody asked", "{}");
  EXPECT_EQ(task.view().questions.size(), 1U);
  EXPECT_EQ(task.view().status, TaskStatus::InputRequired);
  task.Give("ask-1", "\"a\"");
  call.join();
  EXPECT_THAT(answers, ::testing::ElementsAre("\"a\"", "\"b\""));
  EXPECT_EQ(task.view().status, TaskStatus::Working);
  task.End(Said(""));
}

TEST(Tasks, ACancelledTaskAsksNoMore) {
  const SystemClock clock;
  Task task("id", clock, kTaskLife);
  CallContext ctx(clock);
  ctx.stop = task.stop();
  ErrorKind kind = ErrorKind::Internal;
  std::thread call([&] { kind = task.Ask({{"m", "{}"}}, ctx).error().kind(); });
  while (task.view().questions.empty()) std::this_thread::yield();
  task.Cancel();
  call.join();
  EXPECT_EQ(kind, ErrorKind::Cancelled);
  EXPECT_TRUE(task.view().questions.empty());
}

TEST(Tasks, ACloseStopsWhatWillNotEndAndBeginsNoMore) {
  const FakeClock clock;
  Tasks tasks(clock);
  const TaskPtr deaf = *tasks.Begin("p", kTaskLife);
  EXPECT_FALSE(tasks.Close(milliseconds(0), milliseconds(0)));
  EXPECT_TRUE(deaf->stop().stop_requested());
  EXPECT_THAT(tasks.Begin("p", kTaskLife), IsError(ErrorKind::SourceUnreachable));
  deaf->End(Said(""));
  EXPECT_TRUE(tasks.Close(milliseconds(0), milliseconds(0)));
}

TEST(Tasks, ACloseWaitsForNoClientsAnswer) {
  const SystemClock clock;
  Tasks tasks(clock);
  const TaskPtr task = *tasks.Begin("p", kTaskLife);
  std::thread call([&] {
    CallContext ctx(clock);
    ctx.stop = task->stop();
    EXPECT_THAT(task->Ask({{"m", "{}"}}, ctx), IsError(ErrorKind::Cancelled));
    task->End(Said(""));
  });
  while (task->view().questions.empty()) std::this_thread::yield();
  EXPECT_TRUE(tasks.Close(std::chrono::minutes(1), milliseconds(0)));
  EXPECT_EQ(task->view().status, TaskStatus::Cancelled);
  call.join();
}

constexpr const char* kHolds =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"sampling":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}})";
constexpr const char* kHoldsNone =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"sampling":{}}})";

// Half of them may wait for clients: as many as a caller may have tasks.
constexpr std::size_t kWorkers = 2 * kTasksOfOwnerMax;

// Tasks over a session: `meta` is empty in the era of sessions.
class TasksOverAServer : public ::testing::Test {
 protected:
  TasksOverAServer()
      : server_({.threads = kWorkers, .queue_max = 16}, "", {"catalog", "explore"}, kConsentMax, 0,
                milliseconds(0)) {}

  void Initialize(std::string_view revision = "2025-11-25") {
    Ask(0, "initialize",
        fmt::format(R"("protocolVersion":"{}","capabilities":{{"sampling":{{}}}})", revision));
    Hear();
  }
  void Ask(int id, std::string_view method, std::string_view params) {
    server_.memory.Say(fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"{}","params":{{{}}}}})",
                                   id, method, params));
  }
  Value Hear() { return mcp::testing::HearOf(server_.memory); }
  Value Say(std::string_view method, std::string_view params) {
    Ask(++last_, method, params);
    return Hear();
  }
  // The id of the task that a call of `tool` becomes in the era of sessions.
  std::string Begin(std::string_view tool, std::string_view task = R"({})",
                    std::string_view arguments = "{}") {
    const Value created = Say("tools/call", fmt::format(R"("name":"{}","arguments":{},"task":{})",
                                                        tool, arguments, task));
    EXPECT_EQ(created["result"]["task"]["status"], "working") << created;
    return created["result"]["task"].value("taskId", "");
  }
  Value Do(std::string_view method, const std::string& id, std::string_view more = "") {
    return Say(method, fmt::format(R"("taskId":"{}"{})", id, more));
  }
  Value Modern(std::string_view method, std::string_view params, const char* meta = kHolds) {
    return Say(method, fmt::format("{}{}{}", params, params.empty() ? "" : ",", meta));
  }
  void ExpectFailure(const Value& said, int code) {
    ASSERT_TRUE(said.contains("error")) << said;
    EXPECT_EQ(said["error"]["code"], code) << said;
  }

  TestServer server_;
  int last_ = 0;
};

TEST_F(TasksOverAServer, TheAnswerWaitsForWhoeverAsksForIt) {
  Initialize();
  const std::string id = Begin("dig", R"({"ttl":60000})");
  server_.door.AwaitArrivals(1);
  const Value working = Do("tasks/get", id)["result"];
  EXPECT_EQ(working["status"], "working");
  EXPECT_EQ(working["statusMessage"], "1 of 2: at the door");
  EXPECT_EQ(working["ttl"], 60'000);
  EXPECT_GT(working["pollInterval"], 0);
  Ask(90, "tasks/result", fmt::format(R"("taskId":"{}")", id));
  server_.door.Open();
  const Value answer = Hear();
  EXPECT_EQ(answer["id"], 90);
  EXPECT_EQ(answer["result"]["structuredContent"]["data"]["text"], "through");
  EXPECT_EQ(answer["result"]["_meta"]["io.modelcontextprotocol/related-task"]["taskId"], id);
  EXPECT_EQ(Do("tasks/get", id)["result"]["status"], "completed");
  EXPECT_EQ(Do("tasks/result", id)["result"]["structuredContent"]["data"]["text"], "through")
      << "as often as it is asked for";
}

TEST_F(TasksOverAServer, ACancelledTaskStopsItsCall) {
  Initialize();
  const std::string id = Begin("dig");
  server_.door.AwaitArrivals(1);
  Ask(90, "tasks/result", fmt::format(R"("taskId":"{}")", id));
  Ask(91, "tasks/cancel", fmt::format(R"("taskId":"{}")", id));
  const Value waited = Hear();
  EXPECT_EQ(waited["id"], 90);
  ExpectFailure(waited, -32600);
  EXPECT_EQ(Hear()["result"]["status"], "cancelled");
  ExpectFailure(Do("tasks/cancel", id), -32602);
  EXPECT_EQ(Do("tasks/get", id)["result"]["status"], "cancelled");
}

TEST_F(TasksOverAServer, WhoTakesItsQuestionBackCanAskAgain) {
  Initialize();
  const std::string id = Begin("dig");
  Ask(90, "tasks/result", fmt::format(R"("taskId":"{}")", id));
  server_.memory.Say(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":90}})");
  Ask(91, "tasks/result", fmt::format(R"("taskId":"{}")", id));
  server_.door.Open();
  EXPECT_EQ(Hear()["id"], 91);
}

TEST_F(TasksOverAServer, AllOfACallersTasksAreListed) {
  Initialize();
  server_.door.Open();
  const std::string first = Begin("dig");
  const std::string second = Begin("dig");
  const Value tasks = Say("tasks/list", "")["result"]["tasks"];
  ASSERT_EQ(tasks.size(), 2U) << tasks;
  EXPECT_EQ(tasks[0]["taskId"], first);
  EXPECT_EQ(tasks[1]["taskId"], second);
  ExpectFailure(Say("tasks/list", R"("cursor":"x")"), -32602);
}

TEST_F(TasksOverAServer, ACallThatEndsInAnErrorHasFailedAndKeepsItsAnswer) {
  Initialize();
  const std::string id = Begin("sample", "{}", R"({"wrong":1})");
  const Value answer = Do("tasks/result", id);
  EXPECT_EQ(answer["result"]["isError"], true) << answer;
  const Value task = Do("tasks/get", id)["result"];
  EXPECT_EQ(task["status"], "failed");
  EXPECT_THAT(task["statusMessage"].get<std::string>(), HasSubstr("wrong"));
}

TEST_F(TasksOverAServer, ATaskAsksItsClientBesideTheRequestForItsAnswer) {
  Initialize();
  const std::string id = Begin("sample", "{}", R"({"text":"{\"maxTokens\":9}"})");
  Value task = Do("tasks/get", id)["result"];
  while (task["status"] == "working") task = Do("tasks/get", id)["result"];
  EXPECT_EQ(task["status"], "input_required");
  Ask(90, "tasks/result", fmt::format(R"("taskId":"{}")", id));
  const Value asked = Hear();
  EXPECT_EQ(asked["method"], "sampling/createMessage");
  EXPECT_EQ(asked["params"]["maxTokens"], 9);
  EXPECT_EQ(asked["params"]["_meta"]["io.modelcontextprotocol/related-task"]["taskId"], id);
  server_.memory.Say(
      fmt::format(R"({{"jsonrpc":"2.0","id":{},"result":{{"said":1}}}})", asked["id"].dump()));
  const Value answer = Hear();
  EXPECT_EQ(answer["id"], 90);
  EXPECT_EQ(answer["result"]["structuredContent"]["data"]["text"], R"({"said":1})");
}

TEST_F(TasksOverAServer, ATaskTellsItsProgressToItsSession) {
  Initialize();
  server_.door.Open();
  const Value created =
      Say("tools/call", R"("name":"dig","task":{},"_meta":{"progressToken":"p"})");
  const Value told = Hear();
  EXPECT_EQ(told["method"], "notifications/progress");
  EXPECT_EQ(told["params"]["_meta"]["io.modelcontextprotocol/related-task"]["taskId"],
            created["result"]["task"]["taskId"]);
}

TEST_F(TasksOverAServer, OnlyToolsThatLastMayBeAskedForATask) {
  Initialize();
  ExpectFailure(Say("tools/call", R"("name":"echo","arguments":{"text":"a"},"task":{})"), -32601);
  for (const char* task : {"1", R"({"ttl":"1"})", R"({"ttl":0})", R"({"ttl":-5})"})
    ExpectFailure(Say("tools/call", fmt::format(R"("name":"dig","task":{})", task)), -32602);
  const std::string most = Begin("dig", R"({"ttl":1e300})");
  EXPECT_EQ(Do("tasks/get", most)["result"]["ttl"], kTaskLifeMax.count());
  const Value listed = Say("tools/list", "");
  for (const Value& tool : listed["result"]["tools"]) {
    const bool lasts = tool["name"] == "dig" || tool["name"] == "sample";
    EXPECT_EQ(tool.contains("execution"), lasts) << tool;
  }
}

TEST_F(TasksOverAServer, RevisionsBeforeHaveNoTasks) {
  Initialize("2025-06-18");
  ExpectFailure(Say("tasks/list", ""), -32601);
  server_.door.Open();
  const Value answer = Say("tools/call", R"("name":"dig","task":{})");
  EXPECT_EQ(answer["result"]["isError"], false) << "the member is passed over";
}

TEST_F(TasksOverAServer, TasksThatAreNotThereAreNotFound) {
  Initialize();
  for (const char* method : {"tasks/get", "tasks/result", "tasks/cancel"}) {
    ExpectFailure(Do(method, "0123"), -32602);
    ExpectFailure(Say(method, ""), -32602);
  }
}

TEST_F(TasksOverAServer, PastTheBoundACallThatMustBeATaskFails) {
  Initialize();
  for (std::size_t i = 0; i < kTasksOfOwnerMax; ++i) Begin("dig");
  const Value refused = Say("tools/call", R"("name":"dig","task":{})");
  ASSERT_TRUE(refused.contains("error")) << refused;
  EXPECT_THAT(refused["error"]["message"].get<std::string>(), HasSubstr("as many tasks"));
}

TEST_F(TasksOverAServer, WhoNeverAsksForItsTasksMayBeginMore) {
  Initialize();
  server_.door.Open();
  for (std::size_t i = 0; i <= kTasksOfOwnerMax; ++i) Do("tasks/result", Begin("dig"));
  EXPECT_EQ(Say("tasks/list", "")["result"]["tasks"].size(), kTasksOfOwnerMax);
}

TEST_F(TasksOverAServer, ACallThatOutlivesItsTaskIsStoppedWhoeverSpeaks) {
  Initialize();
  Begin("dig", R"({"ttl":1})");
  server_.door.AwaitArrivals(1);
  while (server_.door.standing() > 0) Say("ping", "");
}

TEST_F(TasksOverAServer, WithoutSessionsTheServerMakesATaskOfACallThatTellsItsProgress) {
  const Value created = Modern("tools/call", R"("name":"dig")")["result"];
  EXPECT_EQ(created["resultType"], "task");
  EXPECT_EQ(created["status"], "working");
  EXPECT_EQ(created["ttlMs"], kTaskLife.count());
  EXPECT_FALSE(created.contains("task"));
  const std::string named = fmt::format(R"("taskId":{})", created["taskId"].dump());
  EXPECT_EQ(Modern("tasks/get", named)["result"]["status"], "working");
  server_.door.Open();
  Value task = Modern("tasks/get", named)["result"];
  while (task["status"] == "working") task = Modern("tasks/get", named)["result"];
  EXPECT_EQ(task["status"], "completed");
  EXPECT_EQ(task["resultType"], "complete");
  EXPECT_EQ(task["result"]["structuredContent"]["data"]["text"], "through");
  EXPECT_EQ(Modern("tasks/cancel", named)["result"]["resultType"], "complete");
  EXPECT_EQ(Modern("tasks/get", named)["result"]["status"], "completed");
  ExpectFailure(Modern("tasks/result", named), -32601);
  ExpectFailure(Modern("tasks/list", ""), -32601);
}

TEST_F(TasksOverAServer, WithoutSessionsATaskAsksByItsState) {
  const Value created =
      Modern("tools/call", R"("name":"sample","arguments":{"text":"{\"n\":\"twice\"}"})")["result"];
  EXPECT_EQ(created["resultType"], "task");
  const std::string named = fmt::format(R"("taskId":{})", created["taskId"].dump());
  const auto await = [&](std::string_view status) {
    Value task = Modern("tasks/get", named)["result"];
    while (task["status"] != status) task = Modern("tasks/get", named)["result"];
    return task;
  };
  for (int i = 1; i <= 2; ++i) {
    Value task = await("input_required");
    const std::string key = fmt::format("ask-{}", i);
    ASSERT_EQ(task["inputRequests"].size(), 1U) << task;
    EXPECT_EQ(task["inputRequests"][key]["method"], "sampling/createMessage") << task;
    EXPECT_EQ(Modern("tasks/update", fmt::format(R"({},"inputResponses":{{"{}":{{"i":{}}}}})",
                                                 named, key, i))["result"]["resultType"],
              "complete");
    if (i == 1)
      while (Modern("tasks/get", named)["result"]["inputRequests"].contains("ask-1")) {
      }
  }
  EXPECT_EQ(await("completed")["result"]["structuredContent"]["data"]["text"], R"({"i":1}{"i":2})");
  ExpectFailure(Modern("tasks/update", named), -32602);
}

TEST_F(TasksOverAServer, WhoHoldsNoTasksIsAnsweredAsBeforeAndToldWhatIsMissing) {
  server_.door.Open();
  EXPECT_EQ(Modern("tools/call", R"("name":"dig")", kHoldsNone)["result"]["resultType"],
            "complete");
  for (const char* method : {"tasks/get", "tasks/update", "tasks/cancel"}) {
    const Value refused = Modern(method, R"("taskId":"x","inputResponses":{})", kHoldsNone);
    ExpectFailure(refused, -32021);
    EXPECT_TRUE(refused["error"]["data"]["requiredCapabilities"]["extensions"].contains(
        "io.modelcontextprotocol/tasks"));
  }
  ExpectFailure(Modern("subscriptions/listen", R"("notifications":{"taskIds":["x"]})", kHoldsNone),
                -32021);
}

TEST_F(TasksOverAServer, PastTheBoundACallWithoutSessionsIsAnsweredAsAnyOther) {
  for (std::size_t i = 0; i < kTasksOfOwnerMax; ++i)  // each waits for its client's words
    EXPECT_EQ(Modern("tools/call",
                     R"("name":"sample","arguments":{"text":"{}"})")["result"]["resultType"],
              "task");
  server_.door.Open();
  EXPECT_EQ(Modern("tools/call", R"("name":"dig")")["result"]["resultType"], "complete");
}

TEST_F(TasksOverAServer, WhatCannotBeReadIsAnsweredAtOnce) {
  const Value answer = Modern("tools/call", R"("name":"sample","arguments":{"wrong":1})")["result"];
  EXPECT_EQ(answer["resultType"], "complete");
  EXPECT_EQ(answer["isError"], true);
}

TEST_F(TasksOverAServer, TheEndOfTheServerStopsATaskThatWillNotEnd) {
  Initialize();
  Begin("dig");
  server_.door.AwaitArrivals(1);
  server_.memory.Close();
  server_.server.Leave();
  EXPECT_FALSE(server_.server.HasLeftovers());
}

}  // namespace
}  // namespace schemaward::mcp
