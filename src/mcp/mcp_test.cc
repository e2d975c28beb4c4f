#include <set>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "mcp/client_info.h"
#include "mcp/test_hear.h"
#include "mcp/test_support.h"

namespace schemaward::mcp {
namespace {

using json::Value;
using mcp::testing::TestServer;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kMeta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";

class McpTest : public ::testing::Test {
 protected:
  Value Hear() { return mcp::testing::HearOf(server_.memory); }
  Value Ask(std::string_view text) {
    server_.memory.Say(text);
    return Hear();
  }
  Value Request(int id, std::string_view method, std::string_view params = "{}") {
    return Ask(fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"{}","params":{}}})", id, method,
                           params));
  }
  Value Initialize(std::string_view version) {
    return Request(
        0, "initialize",
        fmt::format(
            R"({{"protocolVersion":"{}","capabilities":{{}},"clientInfo":{{"name":"t","version":"1"}}}})",
            version));
  }
  void Start(int id, std::string_view tool, std::string_view more = "") {
    server_.memory.Say(fmt::format(
        R"({{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{{"name":"{}","arguments":{{}}{}}}}})",
        id, tool, more));
  }

  TestServer server_;
};

// COVERS: R-MCP-1
TEST_F(McpTest, EachLegacyRevisionIsSpokenAsAsked) {
  for (const std::string_view version : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
    const Value result = Initialize(version)["result"];
    EXPECT_EQ(result["protocolVersion"], version);
    EXPECT_EQ(result["instructions"], "Ask echo.");
    EXPECT_EQ(result["serverInfo"]["name"], "schemaward");
    EXPECT_EQ(result["serverInfo"].contains("title"), version >= "2025-06-18");
    EXPECT_EQ(
        result["capabilities"],
        Value::parse(
            R"({"tools":{},"resources":{"subscribe":true,"listChanged":true},"prompts":{},"completions":{},"logging":{}})"));
    const Value tools = Request(1, "tools/list")["result"]["tools"];
    EXPECT_EQ(tools[0]["name"], "echo");
    EXPECT_EQ(tools[0].contains("outputSchema"), version >= "2025-06-18");
    const Value called =
        Request(2, "tools/call", R"({"name":"echo","arguments":{"text":"x"}})")["result"];
    EXPECT_EQ(called.contains("structuredContent"), version >= "2025-06-18");
    EXPECT_FALSE(called.contains("resultType"));
  }
}

TEST_F(McpTest, ARevisionThatIsNotOursGetsTheLatestLegacyOne) {
  EXPECT_EQ(Initialize("2099-01-01")["result"]["protocolVersion"], "2025-11-25");
  EXPECT_EQ(Initialize("2026-07-28")["result"]["protocolVersion"], "2025-11-25");
}

TEST_F(McpTest, TheModernEraNeedsNoHandshake) {
  const Value discovered = Request(1, "server/discover", fmt::format("{{{}}}", kMeta))["result"];
  EXPECT_EQ(discovered["resultType"], "complete");
  EXPECT_EQ(discovered["supportedVersions"][0], "2026-07-28");
  EXPECT_EQ(discovered["supportedVersions"].size(), 5u);
  EXPECT_EQ(discovered["instructions"], "Ask echo.");
  EXPECT_EQ(discovered["cacheScope"], "private");
  EXPECT_TRUE(discovered["ttlMs"].is_number_unsigned());
  EXPECT_EQ(discovered["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "schemaward");

  const Value list = Request(2, "tools/list", fmt::format("{{{}}}", kMeta))["result"];
  EXPECT_EQ(list["resultType"], "complete");
  EXPECT_TRUE(list.contains("ttlMs"));

  const Value called = Request(
      3, "tools/call",
      fmt::format(R"({{"name":"echo","arguments":{{"text":"a\"b"}},{}}})", kMeta))["result"];
  EXPECT_EQ(called["resultType"], "complete");
  EXPECT_EQ(called["structuredContent"]["data"]["text"], "a\"b");
}

// COVERS: R-ENV-5
TEST_F(McpTest, TheTextIsTheStructuredBytes) {
  Initialize("2025-11-25");
  server_.memory.Say(
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"\u00e9\n\"\\"}}})");
  const std::string text = server_.memory.Hear().value_or("");
  const Value result = Value::parse(text)["result"];
  const auto inner = result["content"][0]["text"].get<std::string>();
  EXPECT_THAT(text, HasSubstr("\"structuredContent\":" + inner + ","));
  EXPECT_EQ(result["isError"], false);
}

struct RefusedRow {
  std::string_view name, method, params;
  int code;
};

class McpModernRefusals : public McpTest, public ::testing::WithParamInterface<RefusedRow> {};

TEST_P(McpModernRefusals, HaveTheirCode) {
  EXPECT_EQ(Request(1, GetParam().method, GetParam().params)["error"]["code"], GetParam().code);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, McpModernRefusals,
    ::testing::Values(
        RefusedRow{"discover_without_meta", "server/discover", "{}", -32602},
        RefusedRow{"list_without_meta_or_handshake", "tools/list", "{}", -32602},
        RefusedRow{"no_capabilities", "tools/list",
                   R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}})", -32602},
        RefusedRow{"no_version", "tools/list",
                   R"({"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}})", -32602},
        RefusedRow{
            "version_number", "tools/list",
            R"({"_meta":{"io.modelcontextprotocol/protocolVersion":1,"io.modelcontextprotocol/clientCapabilities":{}}})",
            -32602},
        RefusedRow{
            "ping_is_gone", "ping",
            R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}})",
            -32601},
        RefusedRow{
            "set_level_is_gone", "logging/setLevel",
            R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}})",
            -32601},
        RefusedRow{"not_known", "tools/fly", "{}", -32601},
        RefusedRow{
            "subscribing_is_gone", "resources/subscribe",
            R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}})",
            -32601},
        RefusedRow{"initialize_without_version", "initialize", "{}", -32602}),
    [](const auto& row) { return std::string(row.param.name); });

TEST_F(McpTest, AnUnsupportedVersionNamesTheSupported) {
  const Value error = Request(
      1, "tools/list",
      R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"1900-01-01","io.modelcontextprotocol/clientCapabilities":{}}})")
      ["error"];
  EXPECT_EQ(error["code"], -32022);
  EXPECT_EQ(error["data"]["requested"], "1900-01-01");
  EXPECT_EQ(error["data"]["supported"][0], "2026-07-28");
}

TEST_F(McpTest, BothErasAreServedOnOneSession) {
  Initialize("2025-06-18");
  EXPECT_TRUE(Request(1, "tools/list", fmt::format("{{{}}}", kMeta))["result"].contains("ttlMs"));
  EXPECT_FALSE(Request(2, "tools/list")["result"].contains("ttlMs"));
  EXPECT_EQ(Request(3, "ping")["result"], Value::object());
  EXPECT_EQ(Request(4, "logging/setLevel", R"({"level":"error"})")["result"], Value::object());
  EXPECT_EQ(Request(5, "logging/setLevel", R"({"level":"loud"})")["error"]["code"], -32602);
}

TEST_F(McpTest, ACursorThatWasNotGivenOutIsRefused) {
  Initialize("2025-11-25");
  EXPECT_EQ(Request(1, "tools/list", R"({"cursor":"x"})")["error"]["code"], -32602);
  EXPECT_TRUE(Request(2, "tools/list", R"({"cursor":null})").contains("result"));
}

// R5, R6: what a tool has to say is its answer, not a failure of the protocol.
// COVERS: R-ARG-2
TEST_F(McpTest, ToolFailuresAreAnswers) {
  Initialize("2025-11-25");
  const Value failed = Request(1, "tools/call", R"({"name":"fail"})")["result"];
  EXPECT_EQ(failed["isError"], true);
  EXPECT_EQ(failed["structuredContent"]["error"]["kind"], "unknown_name");
  EXPECT_THAT(failed.dump(), ::testing::Not(HasSubstr("db7")));

  const Value wrong =
      Request(2, "tools/call", R"({"name":"echo","arguments":{"txt":"x"}})")["result"];
  EXPECT_EQ(wrong["isError"], true);
  EXPECT_FALSE(wrong.contains("structuredContent"));
  const auto words = wrong["content"][0]["text"].get<std::string>();
  EXPECT_EQ(
      Value::parse(words.substr(words.rfind('\n') + 1)),
      Value::parse(
          R"({"kind":"invalid_argument","suggested_tool":"echo","suggested_args":{"text":"x"}})"));

  const Value absent = Request(3, "tools/call", R"({"name":"ecko","arguments":[]})")["result"];
  EXPECT_EQ(absent["isError"], true);
  EXPECT_THAT(absent["content"][0]["text"].get<std::string>(), HasSubstr("\"echo\""));

  EXPECT_EQ(Request(4, "tools/call", R"({"arguments":{}})")["error"]["code"], -32602);
}

// R4: a long call blocks nobody.
TEST_F(McpTest, CallsRunSideBySide) {
  Initialize("2025-11-25");
  Start(1, "wait");
  EXPECT_EQ(Request(2, "tools/call", R"({"name":"echo","arguments":{"text":"x"}})")["id"], 2);
  EXPECT_EQ(Request(3, "tools/list")["id"], 3);
  server_.door.Open();
  EXPECT_EQ(Hear()["id"], 1);
}

// COVERS: R-MCP-4
TEST_F(McpTest, ACancelledRequestStopsAndSaysNothingMore) {
  Initialize("2025-11-25");
  Start(1, "wait", R"(,"_meta":{"progressToken":"p"})");
  EXPECT_EQ(Hear()["params"]["progress"], 1);
  server_.door.AwaitArrivals(1);
  server_.memory.Say(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"r"}})");
  server_.memory.Close();  // waits until the call has left
  EXPECT_THAT(server_.memory.HearAll(), IsEmpty());
}

TEST_F(McpTest, CancellingWhatDoesNotRunDoesNothing) {
  Initialize("2025-11-25");
  for (const std::string_view params :
       {R"({"requestId":9})", R"({"requestId":null})", R"({})", R"({"requestId":{}})"})
    server_.memory.Say(fmt::format(
        R"({{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}})", params));
  EXPECT_EQ(Request(1, "ping")["id"], 1);
}

TEST_F(McpTest, ProgressIsToldUnderItsToken) {
  Initialize("2024-11-05");
  Start(1, "wait", R"(,"_meta":{"progressToken":7})");
  server_.door.Open();
  const Value first = Hear();
  EXPECT_EQ(first["method"], "notifications/progress");
  EXPECT_EQ(first["params"], Value::parse(R"({"progressToken":7,"progress":1,"total":2})"));
  EXPECT_EQ(Hear()["params"]["progress"], 2);
  EXPECT_EQ(Hear()["id"], 1);

  Initialize("2025-03-26");
  Start(2, "wait", R"(,"_meta":{"progressToken":"a"})");
  EXPECT_EQ(Hear()["params"]["message"], "at the door");
}

TEST_F(McpTest, AnIdThatStillRunsIsRefusedAndFreeAfterwards) {
  Initialize("2025-11-25");
  Start(1, "wait");
  server_.door.AwaitArrivals(1);
  EXPECT_EQ(Request(1, "tools/call", R"({"name":"wait"})")["error"]["code"], -32600);
  server_.door.Open();
  EXPECT_TRUE(Hear().contains("result"));
  EXPECT_TRUE(Request(1, "tools/call", R"({"name":"wait"})").contains("result"));
}

// MAKES: cost_cap_exceeded/pool_full
TEST(McpPool, AFullPoolIsATypedAnswer) {
  TestServer server({.threads = 1, .queue_max = 1});
  const auto ask = [&](int id, std::string_view tool) {
    server.memory.Say(fmt::format(
        R"({{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{{"name":"{}","arguments":{{}},{}}}}})",
        id, tool, kMeta));
  };
  ask(1, "wait");
  server.door.AwaitArrivals(1);
  ask(2, "wait");
  ask(3, "wait");
  const Value refused = Value::parse(*server.memory.Hear());
  EXPECT_EQ(refused["id"], 3);
  const Value error = refused["result"]["structuredContent"]["error"];
  EXPECT_EQ(error["kind"], "cost_cap_exceeded");
  EXPECT_EQ(error["reason"], "pool_full");
  EXPECT_EQ(error["retryable"], true);
  EXPECT_TRUE(error["recovery"]["suggested_tool"].is_string());
  server.door.Open();
}

TEST_F(McpTest, BatchesAreServedInTheirOneRevision) {
  const std::string_view batch =
      R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"}}},4])";
  Initialize("2025-06-18");
  EXPECT_EQ(Ask(batch)["error"]["code"], -32600);
  Initialize("2025-03-26");
  const Value answers = Ask(batch);
  ASSERT_TRUE(answers.is_array());
  std::multiset<std::string> ids;
  for (const Value& answer : answers) ids.insert(answer["id"].dump());
  EXPECT_THAT(ids, ::testing::ElementsAre("1", "2", "null"));
  server_.memory.Say(R"([{"jsonrpc":"2.0","method":"notifications/initialized"}])");
  EXPECT_EQ(Request(5, "ping")["id"], 5);  // the batch of notifications had no answer
}

TEST_F(McpTest, OversizedAndMalformedInputIsAnsweredAndTheSessionGoesOn) {
  Initialize("2025-11-25");
  server_.memory.Say("{\"jsonrpc\":\"2.0\",\"pad\":\"" +
                     std::string(transport::kMessageBytesMax, 'x') + "\"}");
  EXPECT_EQ(Hear()["error"]["code"], -32600);
  EXPECT_EQ(Ask("{nonsense")["error"]["code"], -32700);
  EXPECT_EQ(Request(1, "ping")["id"], 1);
}

TEST_F(McpTest, TheEndOfInputLetsRunningCallsAnswer) {
  Initialize("2025-11-25");
  Start(1, "wait");
  server_.door.AwaitArrivals(1);
  server_.door.Open();
  server_.memory.Close();
  const auto said = server_.memory.HearAll();
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(Value::parse(said[0])["id"], 1);
}

TEST_F(McpTest, AnInterruptStopsRunningCalls) {
  Initialize("2025-11-25");
  Start(1, "wait");
  server_.door.AwaitArrivals(1);
  server_.memory.Close(transport::Ending::Interrupted);
  EXPECT_EQ(Hear()["result"]["structuredContent"]["error"]["reason"], "cancelled");
}

TEST_F(McpTest, ACallThatWillNotStopIsLeftBehind) {
  Initialize("2025-11-25");
  server_.door.IgnoreStops();
  Start(1, "wait");
  server_.door.AwaitArrivals(1);
  EXPECT_FALSE(server_.server.HasLeftovers());
  server_.memory.Close(transport::Ending::Interrupted);
  EXPECT_TRUE(server_.server.HasLeftovers());
}

TEST(McpClientName, IsCutAtAWholeCharacter) {
  const std::string name(kClientBytesMax - 1, 'a');
  EXPECT_EQ(ClientName({{"name", name + "\xC3\xA9"}, {"version", "1"}}), name);
}

TEST_F(McpTest, AMethodThatIsNotThereIsNamedInWholeCharacters) {
  const std::string name(63, 'a');
  server_.memory.Say(fmt::format(R"({{"jsonrpc":"2.0","id":1,"method":"{}\u00e9"}})", name));
  EXPECT_EQ(Value::parse(*server_.memory.Hear())["error"]["message"],
            fmt::format("there is no method \"{}\"", name));
}

TEST(McpInstructions, AreCutAtAWholeCharacter) {
  std::string text(kInstructionsMax - 1, 'a');
  TestServer server({.threads = 1, .queue_max = 1}, text + "\xC3\xA9 and more");
  server.memory.Say(fmt::format(
      R"({{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{{{}}}}})", kMeta));
  EXPECT_EQ(Value::parse(*server.memory.Hear())["result"]["instructions"], text);
}

}  // namespace
}  // namespace schemaward::mcp
