// What the server answers to requests that come one by one, each with its HTTP head.
#include "mcp/head.h"

#include <map>
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "mcp/test_support.h"

namespace schemaward::mcp {
namespace {

using json::Value;
using transport::RequestHead;

// One request's way back; keeps what it is given. Thread: any.
class RequestPeer final : public transport::Peer {
 public:
  RequestPeer(std::string session, RequestHead head)
      : session_(std::move(session)), head_(std::move(head)) {}

  void Send(std::string_view text) override { Put({Value::parse(text), 0, false}); }
  void Answer(std::string_view text, int status) override {
    Put({Value::parse(text), status, true});
  }
  void LacksScopes(const std::vector<std::string>& scopes) override { lacking = scopes; }
  void Drop() override { Put({Value(), 202, true}); }
  const std::string& session() const override { return session_; }
  const Principal& principal() const override { return principal_; }
  const RequestHead* head() const override { return &head_; }
  Result<std::string> OpenSession() override {
    if (is_full) return Error(ErrorKind::PoolFull, "too many sessions");
    return std::string("s-1");
  }
  void WhenGone(std::function<void(transport::Gone)> tell) override {
    const MutexLock lock(mutex_);
    tell_ = std::move(tell);
  }

  struct Said {
    Value message;
    int status;
    bool is_last;
  };
  // Waits for what was said last.
  Said Last() {
    const MutexLock lock(mutex_);
    while (said_.empty() || !said_.back().is_last) changed_.wait(mutex_);
    return said_.back();
  }
  std::size_t SaidCount() {
    const MutexLock lock(mutex_);
    return said_.size();
  }
  void Leave(transport::Gone why) {
    std::function<void(transport::Gone)> tell;
    {
      const MutexLock lock(mutex_);
      tell = tell_;
    }
    tell(why);
  }
  void SetPrincipal(std::string id) { principal_.id = std::move(id); }
  void SetTransport(std::string transport) { principal_.transport = std::move(transport); }
  std::vector<std::string> lacking;  // read it after Last
  bool is_full = false;

 private:
  void Put(Said said) {
    const MutexLock lock(mutex_);
    said_.push_back(std::move(said));
    changed_.notify_all();
  }
  const std::string session_;
  const RequestHead head_;
  Principal principal_;
  Mutex mutex_;
  CondVar changed_;
  std::vector<Said> said_ GUARDED_BY(mutex_);
  std::function<void(transport::Gone)> tell_ GUARDED_BY(mutex_);
};

constexpr std::string_view kMeta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";

RequestHead Head(std::string method, std::optional<std::string> name = std::nullopt,
                 std::string version = "2026-07-28") {
  return {std::move(version), std::move(method), std::move(name)};
}

std::string Text(std::string_view method, std::string_view params) {
  return fmt::format(R"({{"jsonrpc":"2.0","id":7,"method":"{}","params":{}}})", method, params);
}

std::string Modern(std::string_view method, std::string_view members = {}) {
  return Text(method, fmt::format("{{{}{}{}}}", members, members.empty() ? "" : ",", kMeta));
}

class HeadTest : public ::testing::Test {
 protected:
  std::shared_ptr<RequestPeer> Post(std::string_view text, RequestHead head,
                                    std::string session = {}) {
    auto peer = std::make_shared<RequestPeer>(std::move(session), std::move(head));
    server_.server.OnMessage(text, peer);
    return peer;
  }
  std::string Initialize(std::string_view version) {
    return Text("initialize",
                fmt::format(R"({{"protocolVersion":"{}","capabilities":{{}}}})", version));
  }

  testing::TestServer server_;
};

TEST_F(HeadTest, AModernRequestIsServedByItself) {
  const auto said = Post(Modern("tools/list"), Head("tools/list"))->Last();
  EXPECT_EQ(said.status, 200);
  EXPECT_TRUE(said.message["result"]["tools"].is_array());
}

TEST_F(HeadTest, AToolsFailureIsAnAnswerLikeAnyOther) {
  const auto said =
      Post(Modern("tools/call", R"("name":"fail","arguments":{})"), Head("tools/call", "fail"))
          ->Last();
  EXPECT_EQ(said.status, 200);
  EXPECT_EQ(said.message["result"]["isError"], true);
}

TEST(SourceBusy, IsTheToolsAnswerAndNotTheServers) {
  testing::TestServer server({.threads = 4, .queue_max = 16}, "", {"catalog", "sql"});
  const auto peer = std::make_shared<RequestPeer>("", Head("tools/call", "busy"));
  server.server.OnMessage(Modern("tools/call", R"("name":"busy","arguments":{})"), peer);
  const auto said = peer->Last();
  EXPECT_EQ(said.status, 200);
  const Value error = said.message["result"]["structuredContent"]["error"];
  EXPECT_EQ(error["reason"], "pool_full");
  EXPECT_EQ(error["retry_after_ms"], 500);
}

TEST(Scopes, AToolThatNeedsOneSaysSoToWhoeverLacksIt) {
  testing::TestServer server({.threads = 4, .queue_max = 16}, "", {"catalog", "explore"});
  const auto lacking_of = [&](const char* tool, const char* transport) {
    const std::string members = fmt::format(R"("name":"{}","arguments":{{"text":"x"}})", tool);
    auto peer = std::make_shared<RequestPeer>("", Head("tools/call", tool));
    peer->SetTransport(transport);
    server.server.OnMessage(Modern("tools/call", members), peer);
    EXPECT_TRUE(peer->Last().message.contains("result"));
    return peer->lacking;
  };
  EXPECT_THAT(lacking_of("sample", "http"), ::testing::ElementsAre("test.explore"));
  EXPECT_THAT(lacking_of("sample", "stdio"), ::testing::IsEmpty());
  EXPECT_THAT(lacking_of("echo", "http"), ::testing::IsEmpty());
}

struct Row {
  std::string_view name;
  std::string text;
  RequestHead head;
  int status, code;
};

class Refused : public HeadTest, public ::testing::WithParamInterface<Row> {};

TEST_P(Refused, HaveTheirStatusAndCode) {
  const auto said = Post(GetParam().text, GetParam().head)->Last();
  EXPECT_EQ(said.status, GetParam().status);
  EXPECT_EQ(said.message["error"]["code"], GetParam().code);
}

const std::string call_echo = Modern("tools/call", R"("name":"echo","arguments":{"text":"x"})");

INSTANTIATE_TEST_SUITE_P(
    Rows, Refused,
    ::testing::Values(
        Row{"other_method", Modern("tools/list"), Head("prompts/list"), 400, -32020},
        Row{"case_of_method", Modern("tools/list"), Head("TOOLS/LIST"), 400, -32020},
        Row{"no_method", Modern("tools/list"), {"2026-07-28", {}, {}}, 400, -32020},
        Row{"no_version", Modern("tools/list"), {{}, "tools/list", {}}, 400, -32020},
        Row{"older_version", Modern("tools/list"), Head("tools/list", {}, "2025-11-25"), 400,
            -32020},
        Row{"other_name", call_echo, Head("tools/call", "wait"), 400, -32020},
        Row{"no_name", call_echo, Head("tools/call"), 400, -32020},
        Row{"name_encoded_of_another", call_echo, Head("tools/call", "=?base64?d2FpdA==?="), 400,
            -32020},
        Row{"name_without_padding", call_echo, Head("tools/call", "=?base64?ZWNobw?="), 400,
            -32020},
        Row{"name_not_base64", call_echo, Head("tools/call", "=?base64?ZW!!hobw==?="), 400, -32020},
        Row{"name_cut_marker", call_echo, Head("tools/call", "=?base64?="), 400, -32020},
        Row{"unknown_method", Modern("no/such"), Head("no/such"), 404, -32601},
        Row{"removed_initialize", Modern("initialize"), Head("initialize"), 404, -32601},
        Row{"removed_ping", Modern("ping"), Head("ping"), 404, -32601},
        Row{"no_meta", Text("server/discover", "{}"), Head("server/discover"), 400, -32602},
        Row{"ping_without_meta", Text("ping", "{}"), Head("ping"), 400, -32602},
        Row{"unknown_version",
            Text(
                "tools/list",
                R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01","io.modelcontextprotocol/clientCapabilities":{}}})"),
            Head("tools/list", {}, "2099-01-01"), 400, -32022},
        Row{"unknown_legacy_version",
            Text("tools/list", "{}"),
            {"1900-01-01", {}, {}},
            400,
            -32022},
        Row{"no_session", Text("tools/list", "{}"), {"2025-11-25", {}, {}}, 400, -32602},
        Row{"not_json", "{", {}, 400, -32700},
        Row{"batch", "[" + Modern("tools/list") + "]", Head("tools/list"), 400, -32600}),
    [](const auto& row) { return std::string(row.param.name); });

TEST_F(HeadTest, AnEncodedNameIsDecodedBeforeItIsCompared) {
  const auto said = Post(call_echo, Head("tools/call", "=?base64?ZWNobw==?="))->Last();
  EXPECT_EQ(said.status, 200);
  EXPECT_EQ(said.message["result"]["structuredContent"]["data"]["text"], "x");
}

TEST_F(HeadTest, ASessionBeginsWithInitializeAndIsKnownByItsName) {
  EXPECT_EQ(Post(Initialize("2025-06-18"), {})->Last().status, 200);
  const auto said = Post(Text("tools/list", "{}"), {"2025-06-18", {}, {}}, "s-1")->Last();
  EXPECT_EQ(said.status, 200);
  EXPECT_TRUE(said.message["result"]["tools"].is_array());
}

// A client of that era takes another status for a failure of the connection.
TEST_F(HeadTest, AFailureInsideASessionIsAnAnswerLikeAnyOther) {
  Post(Initialize("2025-11-25"), {});
  const auto said = Post(Text("no/such", "{}"), {"2025-11-25", {}, {}}, "s-1")->Last();
  EXPECT_EQ(said.status, 200);
  EXPECT_EQ(said.message["error"]["code"], -32601);
}

TEST_F(HeadTest, ASessionTooManyIsRefused) {
  const auto peer = std::make_shared<RequestPeer>(std::string(), RequestHead{});
  peer->is_full = true;
  server_.server.OnMessage(Initialize("2025-11-25"), peer);
  EXPECT_EQ(peer->Last().status, 503);
  EXPECT_EQ(Post(Text("tools/list", "{}"), {}, "s-1")->Last().status, 400);
}

TEST_F(HeadTest, ADeletedSessionIsForgottenAtOnce) {
  Post(Initialize("2025-11-25"), {});
  const auto call = Post(Text("tools/call", R"({"name":"wait"})"), {"2025-11-25", {}, {}}, "s-1");
  server_.door.AwaitArrivals(1);
  server_.server.OnClose("s-1", transport::Ending::Deleted);
  EXPECT_EQ(call->Last().message["result"]["isError"], true);
  EXPECT_EQ(Post(Text("tools/list", "{}"), {}, "s-1")->Last().status, 400);
}

class CallsPerPrincipalTest : public ::testing::Test {
 protected:
  std::shared_ptr<RequestPeer> Call(std::string principal, std::string_view tool) {
    auto peer = std::make_shared<RequestPeer>(std::string(), Head("tools/call", std::string(tool)));
    peer->SetPrincipal(std::move(principal));
    server_.server.OnMessage(
        Modern("tools/call", fmt::format(R"("name":"{}","arguments":{{"text":"x"}})", tool)), peer);
    return peer;
  }
  testing::TestServer server_{{.threads = 4, .queue_max = 16}, "", {"catalog"}, kConsentMax, 1};
};

// MAKES: cost_cap_exceeded/rate_limited
TEST_F(CallsPerPrincipalTest, OneTooManyIsATypedAnswerWithItsStatus) {
  const auto held = Call("p", "wait");
  const auto refused = Call("p", "echo")->Last();
  EXPECT_EQ(refused.status, 429);
  const Value error = refused.message["result"]["structuredContent"]["error"];
  EXPECT_EQ(error["kind"], "cost_cap_exceeded");
  EXPECT_EQ(error["reason"], "rate_limited");
  EXPECT_EQ(error["retryable"], true);
  EXPECT_EQ(error["retry_after_ms"], 1'000);
  EXPECT_EQ(Call("q", "echo")->Last().status, 200) << "another's calls are its own";
  server_.door.Open();
  EXPECT_EQ(held->Last().status, 200);
}

TEST_F(CallsPerPrincipalTest, WhoHasReadAnAnswerMayCallAgain) {
  for (int i = 0; i < 50; ++i) EXPECT_EQ(Call("p", "echo")->Last().status, 200);
}

TEST_F(HeadTest, ANotificationIsAcceptedAndNotAnswered) {
  const auto said =
      Post(R"({"jsonrpc":"2.0","method":"notifications/initialized"})", {}, "s-1")->Last();
  EXPECT_EQ(said.status, 202);
}

TEST_F(HeadTest, ABatchOfNotificationsIsAcceptedAndNotAnswered) {
  Post(Initialize("2025-03-26"), {});
  const auto said =
      Post(R"([{"jsonrpc":"2.0","method":"notifications/initialized"}])", {}, "s-1")->Last();
  EXPECT_EQ(said.status, 202);
}

// COVERS: R-MCP-4
TEST_F(HeadTest, ClosingTheStreamOfAModernCallCancelsIt) {
  const auto call = Post(Modern("tools/call", R"("name":"wait")"), Head("tools/call", "wait"));
  server_.door.AwaitArrivals(1);
  call->Leave(transport::Gone::Closed);
  EXPECT_EQ(call->Last().status, 202) << "nobody listens, so nothing is said";
}

TEST_F(HeadTest, ALostConnectionDoesNotCancelACallOfTheOlderEra) {
  Post(Initialize("2025-11-25"), {});
  const auto call = Post(Text("tools/call", R"({"name":"wait"})"), {"2025-11-25", {}, {}}, "s-1");
  server_.door.AwaitArrivals(1);
  call->Leave(transport::Gone::Closed);
  EXPECT_EQ(call->SaidCount(), 0u);
  server_.door.Open();
  EXPECT_EQ(call->Last().message["result"]["isError"], false);
}

TEST_F(HeadTest, WhenWeEndACallIsStoppedAndAnswered) {
  const auto call = Post(Modern("tools/call", R"("name":"wait")"), Head("tools/call", "wait"));
  server_.door.AwaitArrivals(1);
  call->Leave(transport::Gone::Stopping);
  EXPECT_EQ(call->Last().message["result"]["isError"], true);
}

TEST_F(HeadTest, AnOversizedMessageHasItsStatus) {
  const auto peer = std::make_shared<RequestPeer>(std::string(), RequestHead{});
  server_.server.OnOversized(10, peer);
  EXPECT_EQ(peer->Last().status, 413);
}

}  // namespace
}  // namespace schemaward::mcp
