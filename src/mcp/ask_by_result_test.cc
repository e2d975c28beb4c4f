// COVERS: R-MCP-1 R-MCP-5
// A call that asks its client for words in the era without requests, over a whole server in memory.
#include "mcp/ask_by_result.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/result_matchers.h"
#include "mcp/test_support.h"

namespace schemaward::mcp {
namespace {

using json::Value;
using mcp::testing::TestServer;
using ::testing::HasSubstr;

constexpr const char* kMeta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"sampling":{}},"progressToken":"p"})";
constexpr const char* kMetaWithout =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";
constexpr std::size_t kWorkers = 4;

class AskingByResult : public ::testing::Test {
 protected:
  AskingByResult() : server_({.threads = kWorkers, .queue_max = 16}, "", {"explore"}) {}

  // The next message that is no word of progress.
  Value Hear() {
    while (true) {
      const auto text = server_.memory.Hear();
      if (!text) {
        ADD_FAILURE() << "nothing was said";
        return {};
      }
      Value message = Value::parse(*text);
      if (message.value("method", "") != "notifications/progress") return message;
      progress_.push_back(message["params"]);
    }
  }
  // Calls the tool `sample`; `text` is the parameters of its question.
  void Call(int id, const Value& text, std::string_view more = "", const char* meta = kMeta) {
    const Value arguments = {{"text", text.dump()}};
    server_.memory.Say(fmt::format(
        R"({{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{{"name":"sample","arguments":{}{},{}}}}})",
        id, arguments.dump(), more, meta));
  }
  void ComeBack(int id, const Value& text, const Value& question, std::string_view answer) {
    Call(id, text,
         fmt::format(R"(,"inputResponses":{},"requestState":{})", answer,
                     question["result"]["requestState"].dump()));
  }
  static void ExpectQuestion(const Value& said, int id) {
    EXPECT_EQ(said["id"], id) << said;
    EXPECT_EQ(said["result"]["resultType"], "input_required") << said;
    EXPECT_EQ(said["result"]["inputRequests"]["reply"]["method"], "sampling/createMessage");
  }
  static void ExpectSaid(const Value& answer, int id, std::string_view words) {
    EXPECT_EQ(answer["id"], id) << answer;
    EXPECT_EQ(answer["result"]["resultType"], "complete") << answer;
    EXPECT_EQ(answer["result"]["structuredContent"]["data"]["text"], words) << answer;
  }
  void ExpectRefused(int id, std::string_view words) {
    const Value failed = Hear();
    EXPECT_EQ(failed["id"], id) << failed;
    EXPECT_EQ(failed["error"]["code"], -32602) << failed;
    EXPECT_THAT(failed["error"]["message"].get<std::string>(), HasSubstr(std::string(words)));
  }

  TestServer server_;
  std::vector<Value> progress_;
};

TEST_F(AskingByResult, TheCallGoesOnWhereItsClientComesBackWithTheAnswer) {
  const Value text = {{"maxTokens", 9}};
  Call(1, text);
  const Value question = Hear();
  ExpectQuestion(question, 1);
  EXPECT_EQ(question["result"]["inputRequests"]["reply"]["params"], text);
  ComeBack(2, text, question, R"({"reply":{"role":"assistant"}})");
  ExpectSaid(Hear(), 2, R"({"role":"assistant"})");
  ASSERT_EQ(progress_.size(), 1U) << "told about the request that is open then";
  EXPECT_EQ(progress_[0]["progress"], 1);
}

TEST_F(AskingByResult, EachQuestionHasAStateOfItsOwn) {
  const Value text = {{"a", "twice"}};
  Call(1, text);
  const Value first = Hear();
  ComeBack(2, text, first, R"({"reply":{"n":1}})");
  const Value second = Hear();
  ExpectQuestion(second, 2);
  EXPECT_NE(second["result"]["requestState"], first["result"]["requestState"]);
  ComeBack(3, text, first, R"({"reply":{"n":9}})");
  ExpectRefused(3, "waits for nothing");
  ComeBack(4, text, second, R"({"reply":{"n":2}})");
  ExpectSaid(Hear(), 4, R"({"n":1}{"n":2})");
  ComeBack(5, text, second, R"({"reply":{"n":2}})");
  ExpectRefused(5, "waits for nothing");
}

TEST_F(AskingByResult, AClientThatBringsNoAnswerIsAskedAgain) {
  const Value text = Value::object();
  Call(1, text);
  const Value question = Hear();
  for (const char* answer : {"{}", R"({"other":{}})", "[]", "null"}) {
    ComeBack(2, text, question, answer);
    ExpectQuestion(Hear(), 2);
  }
  ComeBack(3, text, question, R"({"reply":{}})");
  ExpectSaid(Hear(), 3, "{}");
}

TEST_F(AskingByResult, AStateIsGoodForItsOwnCallAlone) {
  Call(1, {{"n", 1}});
  const Value question = Hear();
  ComeBack(2, {{"n", 2}}, question, R"({"reply":{}})");
  ExpectRefused(2, "was not made by this server for this call");
  Call(3, {{"n", 1}}, R"(,"requestState":"made up")");
  ExpectRefused(3, "was not made by this server for this call");
  ComeBack(4, {{"n", 1}}, question, R"({"reply":{}})");
  ExpectSaid(Hear(), 4, "{}");
}

TEST_F(AskingByResult, AClientThatOffersNoModelIsNotAsked) {
  Call(1, Value::object(), "", kMetaWithout);
  EXPECT_THAT(Hear()["result"]["content"][0]["text"].get<std::string>(),
              HasSubstr("the client offers no model"));
}

TEST_F(AskingByResult, HalfOfTheWorkersMayWaitAndTheOthersWork) {
  Call(1, {{"n", 1}});
  const Value first = Hear();
  Call(2, {{"n", 2}});
  const Value second = Hear();
  ExpectQuestion(second, 2);
  Call(3, {{"n", 3}});
  EXPECT_EQ(Hear()["result"]["structuredContent"]["error"]["reason"], "pool_full");
  ComeBack(4, {{"n", 1}}, first, R"({"reply":{}})");
  ExpectSaid(Hear(), 4, "{}");
  Call(5, {{"n", 5}});
  ExpectQuestion(Hear(), 5);
}

TEST_F(AskingByResult, TheRequestThatIsOpenCanBeCancelled) {
  const Value text = {{"a", "door"}};
  Call(1, text);
  ComeBack(2, text, Hear(), R"({"reply":{}})");
  server_.door.AwaitArrivals(1);
  server_.memory.Say(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})");
  // The door is shut: only a call that has stopped leaves it, and the next one finds its worker.
  Call(3, Value::object(), "", kMetaWithout);
  EXPECT_EQ(Hear()["id"], 3);
}

TEST_F(AskingByResult, NobodyWaitsForAClientThatHasGone) {
  Call(1, Value::object());
  ExpectQuestion(Hear(), 1);
  server_.memory.Close(transport::Ending::InputEnded);
  // The end of the pool waits for the call.
}

TEST_F(AskingByResult, NobodyIsAskedOnceTheServerLeaves) {
  Call(1, Value::object());
  ExpectQuestion(Hear(), 1);
  server_.server.Leave();
  Call(2, Value::object());
  EXPECT_EQ(Hear()["result"]["structuredContent"]["error"]["reason"], "source_unreachable");
}

TEST(ParkedCalls, ATicketIsGoodUntilItBringsAnAnswer) {
  SystemClock clock;
  CallContext ctx(clock);
  ParkedCalls parked;
  const auto ticket = parked.Enter(nullptr);
  ASSERT_THAT(ticket, IsOk());
  EXPECT_FALSE(parked.Take("77", {}));
  EXPECT_TRUE(parked.Take(*ticket, {}));
  EXPECT_FALSE(parked.Take(*ticket, {nullptr, {}, "{}"})) << "one has come back already";
  EXPECT_EQ(parked.Await(*ticket, ctx)->answer_json, "");
  EXPECT_TRUE(parked.Take(*ticket, {nullptr, {}, "{}"}));
  EXPECT_EQ(parked.Await(*ticket, ctx)->answer_json, "{}");
  EXPECT_FALSE(parked.Take(*ticket, {nullptr, {}, "{}"}));
}

TEST(ParkedCalls, AWaitEndsWithItsCallOrItsSession) {
  SystemClock clock;
  CallContext ctx(clock);
  ParkedCalls parked;
  const auto* session = reinterpret_cast<const Session*>(&clock);  // compared alone
  const auto first = parked.Enter(session);
  const auto second = parked.Enter(nullptr);
  parked.EndOf(session);
  EXPECT_FALSE(parked.Take(*first, {nullptr, {}, "{}"}));
  EXPECT_THAT(parked.Await(*first, ctx), IsError(ErrorKind::SourceUnreachable));
  std::stop_source stop;
  ctx.stop = stop.get_token();
  stop.request_stop();
  EXPECT_THAT(parked.Await(*second, ctx), IsError(ErrorKind::Cancelled));
  const auto third = parked.Enter(nullptr);
  parked.EndAll();
  CallContext fresh(clock);
  EXPECT_THAT(parked.Await(*third, fresh), IsError(ErrorKind::SourceUnreachable));
  EXPECT_THAT(parked.Enter(nullptr), IsError(ErrorKind::SourceUnreachable));
}

}  // namespace
}  // namespace schemaward::mcp
