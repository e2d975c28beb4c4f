// The client is asked in the middle of a call: sampling, over a whole server in memory.
#include "mcp/asks.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "mcp/test_hear.h"
#include "mcp/test_support.h"

namespace schemaward::mcp {
namespace {

using json::Value;
using mcp::testing::TestServer;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Sampling : public ::testing::Test {
 protected:
  Value Hear() { return mcp::testing::HearOf(server_.memory); }
  void Initialize(std::string_view version, std::string_view capabilities) {
    server_.memory.Say(fmt::format(
        R"({{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"{}","capabilities":{},"clientInfo":{{"name":"t","version":"1"}}}}}})",
        version, capabilities));
    Hear();
  }
  void Sample(int id, std::string_view more = "") {
    server_.memory.Say(fmt::format(
        R"({{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{{"name":"sample","arguments":{{"text":"{{}}"}}{}}}}})",
        id, more));
  }
  void Answer(const Value& asked, std::string_view body) {
    server_.memory.Say(fmt::format(R"({{"jsonrpc":"2.0","id":{},{}}})", asked["id"].dump(), body));
  }

  TestServer server_{{.threads = 4, .queue_max = 16}, "", {"catalog", "explore"}};
};

TEST_F(Sampling, TheClientsAnswerReachesTheCallThatAsked) {
  for (const std::string_view version : {"2024-11-05", "2025-06-18", "2025-11-25"}) {
    Initialize(version, R"({"sampling":{}})");
    Sample(1);
    const Value asked = Hear();
    EXPECT_EQ(asked["method"], "sampling/createMessage");
    EXPECT_TRUE(asked["id"].is_string());
    Answer(asked, R"("result":{"role":"assistant","content":{"type":"text","text":"words"}})");
    const Value answer = Hear();
    EXPECT_EQ(answer["id"], 1);
    EXPECT_THAT(answer.dump(), HasSubstr("words"));
    EXPECT_EQ(answer["result"]["isError"], false);
  }
}

TEST_F(Sampling, AnswersFindTheirOwnCallsInWhateverOrder) {
  Initialize("2025-11-25", R"({"sampling":{}})");
  Sample(1);
  const Value first = Hear();
  Sample(2);
  const Value second = Hear();
  EXPECT_NE(first["id"], second["id"]);
  Answer(second, R"("result":{"n":2})");
  EXPECT_THAT(Hear(), ::testing::Truly([](const Value& v) {
                return v["id"] == 2 && v.dump().find("2}") != std::string::npos;
              }));
  Answer(first, R"("result":{"n":1})");
  EXPECT_EQ(Hear()["id"], 1);
}

TEST_F(Sampling, AClientThatRefusesIsAnErrorOfTheToolWithoutItsWords) {
  Initialize("2025-11-25", R"({"sampling":{}})");
  Sample(1);
  Answer(Hear(), R"("error":{"code":-1,"message":"user of db7 rejected"})");
  const Value answer = Hear();
  EXPECT_EQ(answer["result"]["isError"], true);
  EXPECT_EQ(answer["result"]["structuredContent"]["error"]["reason"], "permission_denied");
  EXPECT_THAT(answer.dump(), Not(HasSubstr("db7")));
}

TEST_F(Sampling, ACallThatIsCancelledTakesItsQuestionBack) {
  Initialize("2025-11-25", R"({"sampling":{}})");
  Sample(1);
  const Value asked = Hear();
  server_.memory.Say(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  const Value back = Hear();
  EXPECT_EQ(back["method"], "notifications/cancelled");
  EXPECT_EQ(back["params"]["requestId"], asked["id"]);
  Answer(asked, R"("result":{})");  // too late: passed over
  server_.memory.Say(R"({"jsonrpc":"2.0","id":2,"method":"ping"})");
  EXPECT_EQ(Hear()["id"], 2);
}

TEST_F(Sampling, WhoDidNotOfferItIsNotAsked) {
  for (const std::string_view capabilities : {"{}", R"({"sampling":null})", R"({"roots":{}})"}) {
    Initialize("2025-11-25", capabilities);
    Sample(1);
    EXPECT_EQ(Hear()["result"]["isError"], true) << capabilities;
  }
}

TEST_F(Sampling, TheEraWithoutSessionsIsNotAsked) {
  Initialize("2025-11-25", R"({"sampling":{}})");
  Sample(
      1,
      R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"sampling":{}}})");
  EXPECT_EQ(Hear()["id"], 1);
}

TEST_F(Sampling, AnswersThatNobodyWaitsForArePassedOver) {
  Initialize("2025-11-25", R"({"sampling":{}})");
  for (const std::string_view id : {"7", "null", R"("ward-1")", R"("x")"}) {
    server_.memory.Say(fmt::format(R"({{"jsonrpc":"2.0","id":{},"result":{{}}}})", id));
    server_.memory.Say(fmt::format(R"({{"jsonrpc":"2.0","id":{},"error":"odd"}})", id));
  }
  server_.memory.Say(R"({"jsonrpc":"2.0","id":2,"method":"ping"})");
  EXPECT_EQ(Hear()["id"], 2);
  EXPECT_THAT(server_.memory.HearAll(), IsEmpty());
}

}  // namespace
}  // namespace schemaward::mcp
