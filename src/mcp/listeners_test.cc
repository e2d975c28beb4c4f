#include "mcp/listeners.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "mcp/test_support.h"

namespace schemaward::mcp {
namespace {

using json::Value;
using mcp::testing::TestServer;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kMeta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";
constexpr const char* kErrors = "schemaward://errors";
constexpr const char* kTable = "schemaward://tables/shop/main.orders";

// By a peer of its own, so that the registry alone is looked at.
class ListenersTest : public ::testing::Test {
 protected:
  void Enter(Interests interests) {
    listeners_.Add(key_, {.channel = peer_, .interests = std::move(interests)});
  }
  std::vector<std::string> Said() {
    std::vector<std::string> said;
    for (const std::string& message : peer_->All()) {
      const Value parsed = Value::parse(message);
      said.push_back(parsed["method"].get<std::string>() + ' ' + parsed["params"].dump());
    }
    return said;
  }

  Session session_;
  Listeners listeners_;
  const Listeners::Key key_{&session_, {}};
  const std::shared_ptr<transport::MemoryPeer> peer_ = std::make_shared<transport::MemoryPeer>();
};

TEST_F(ListenersTest, WhatChangesBeforeItIsOpenIsToldThen) {
  Enter({.lists = true, .uris = {kTable}});
  listeners_.Tell({{"shop"}});
  listeners_.Tell({{"people"}});
  EXPECT_THAT(Said(), IsEmpty());
  listeners_.Open(key_);
  EXPECT_THAT(Said(), ElementsAre("notifications/resources/list_changed {}",
                                  HasSubstr("updated {\"uri\":\"schemaward://tables/shop/")));
  listeners_.Open(key_);
  EXPECT_THAT(Said(), IsEmpty());
}

TEST_F(ListenersTest, AResourceIsToldOfWhereItsSourceHasChanged) {
  Enter({.uris = {kTable, kErrors, "schemaward://metrics", "schemaward://schemas/people"}});
  listeners_.Open(key_);
  listeners_.Tell({{"shop"}});
  EXPECT_THAT(Said(), ElementsAre(HasSubstr("\"schemaward://metrics\""), HasSubstr(kTable)));
  listeners_.Tell({{"people"}});
  EXPECT_THAT(Said(), ElementsAre(HasSubstr("\"schemaward://metrics\""),
                                  HasSubstr("\"schemaward://schemas/people\"")));
}

TEST_F(ListenersTest, WhoHasMissedSomethingIsToldOfAll) {
  Enter({.lists = true, .uris = {kTable}});
  listeners_.TellAll(key_);
  EXPECT_THAT(Said(), IsEmpty());
  listeners_.Open(key_);
  listeners_.TellAll(key_);
  EXPECT_EQ(Said().size(), 2u);
}

TEST_F(ListenersTest, WhatAnybodyHearsOfCountsFromItsEntryOn) {
  EXPECT_FALSE(listeners_.hearing().changes);
  Enter({});
  EXPECT_FALSE(listeners_.hearing().changes) << "who asked for nothing";
  ASSERT_TRUE(listeners_.Subscribe(key_, kTable));
  EXPECT_TRUE(listeners_.hearing().changes);
  EXPECT_FALSE(listeners_.hearing().log);
  listeners_.SetLog(key_, LogLevel::Error);
  EXPECT_TRUE(listeners_.hearing().log);
  listeners_.End(key_);
  EXPECT_FALSE(listeners_.hearing().changes);
  EXPECT_FALSE(listeners_.hearing().log);
}

TEST_F(ListenersTest, TheLogIsHeardFromItsLevelOn) {
  Enter({.log = LogLevel::Warning});
  listeners_.Log({LogLevel::Error, "before", "It was not open."});
  listeners_.Open(key_);
  listeners_.Log({LogLevel::Notice, "low", "Below."});
  listeners_.Log({LogLevel::Warning, "at", "At it."});
  listeners_.Log({LogLevel::Emergency, "above", "Above."});
  EXPECT_THAT(
      Said(),
      ElementsAre(
          R"(notifications/message {"data":{"event":"at","message":"At it."},"level":"warning","logger":"schemaward"})",
          HasSubstr("\"emergency\"")));
}

TEST_F(ListenersTest, WhoHasSetNoLevelHearsNoLog) {
  Enter({.lists = true});
  listeners_.Open(key_);
  listeners_.Log({LogLevel::Emergency, "loud", "Loud."});
  EXPECT_THAT(Said(), IsEmpty());
  listeners_.SetLog(key_, LogLevel::Debug);
  listeners_.Log({LogLevel::Debug, "soft", "Soft."});
  EXPECT_EQ(Said().size(), 1u);
  listeners_.SetLog(key_, LogLevel::Error);
  listeners_.Log({LogLevel::Warning, "soft", "Soft."});
  EXPECT_THAT(Said(), IsEmpty()) << "the last level that was set stands";
}

TEST_F(ListenersTest, SubscriptionsAreBounded) {
  Enter({});
  for (std::size_t i = 0; i < kSubscriptionsMax; ++i)
    EXPECT_TRUE(listeners_.Subscribe(key_, fmt::format("schemaward://tables/s/t{}", i)));
  EXPECT_FALSE(listeners_.Subscribe(key_, "schemaward://tables/s/one_more"));
  EXPECT_TRUE(listeners_.Subscribe(key_, "schemaward://tables/s/t0"));
  listeners_.Unsubscribe(key_, "schemaward://tables/s/t0");
  EXPECT_TRUE(listeners_.Subscribe(key_, "schemaward://tables/s/one_more"));
}

TEST_F(ListenersTest, TheEndOfASessionIsThatOfItsRequests) {
  int ended = 0;
  Session other;
  for (const Session* session : {&session_, &other})
    listeners_.Add({session, "1"}, {.channel = peer_, .end = [&ended] { ++ended; }});
  listeners_.End(session_);
  EXPECT_EQ(ended, 1);
  EXPECT_EQ(listeners_.count(), 1u);
}

class ListenTest : public ::testing::Test {
 protected:
  Value Hear() { return Value::parse(server_.memory.Hear().value_or("null")); }
  void Say(int id, std::string_view method, const std::string& params) {
    server_.memory.Say(fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"{}","params":{}}})", id,
                                   method, params));
  }
  Value Listen(int id, std::string_view filter) {
    Say(id, "subscriptions/listen", fmt::format(R"({{"notifications":{},{}}})", filter, kMeta));
    return Hear();
  }
  void Notice(std::string_view method, std::string_view params = "{}") {
    server_.memory.Say(
        fmt::format(R"({{"jsonrpc":"2.0","method":"{}","params":{}}})", method, params));
  }
  void Begin(std::string_view version) {
    Say(0, "initialize", fmt::format(R"({{"protocolVersion":"{}","capabilities":{{}}}})", version));
    EXPECT_EQ(Hear()["result"]["capabilities"]["resources"],
              Value::parse(R"({"subscribe":true,"listChanged":true})"));
  }

  TestServer server_;
};

// COVERS: R-MCP-1
TEST_F(ListenTest, ASessionOfTheOlderErasHearsOfListsOnceItIsInitialized) {
  Begin("2025-06-18");
  server_.server.Tell({{"shop"}});
  EXPECT_THAT(server_.memory.HearAll(), IsEmpty());
  Notice("notifications/initialized");
  const Value told = Hear();
  EXPECT_EQ(told["method"], "notifications/resources/list_changed");
  EXPECT_EQ(told["params"], Value::object());
}

TEST_F(ListenTest, AResourceIsSubscribedToWhereItCanBeRead) {
  Begin("2025-11-25");
  Notice("notifications/initialized");
  Say(1, "resources/subscribe", R"({"uri":"schemaward://errors"})");
  EXPECT_EQ(Hear()["result"], Value::object());
  Say(2, "resources/subscribe", R"({"uri":"schemaward://tables/shop/main.orders"})");
  EXPECT_EQ(Hear()["error"]["code"], -32002);  // no such tool is served here
  Say(3, "resources/subscribe", "{}");
  EXPECT_EQ(Hear()["error"]["code"], -32602);
  Say(4, "resources/unsubscribe", R"({"uri":"schemaward://errors"})");
  EXPECT_EQ(Hear()["result"], Value::object());
}

TEST_F(ListenTest, ARequestThatListensIsAcknowledgedFirstAndHearsWhatItAskedFor) {
  const Value said = Listen(
      7,
      R"({"resourcesListChanged":true,"toolsListChanged":true,"resourceSubscriptions":["schemaward://errors","file:///etc/passwd"]})");
  EXPECT_EQ(said["method"], "notifications/subscriptions/acknowledged");
  EXPECT_EQ(
      said["params"]["notifications"],
      Value::parse(
          R"({"resourcesListChanged":true,"resourceSubscriptions":["schemaward://errors"]})"));
  EXPECT_EQ(said["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 7);
  server_.server.Tell({{"shop"}});
  const Value told = Hear();
  EXPECT_EQ(told["method"], "notifications/resources/list_changed");
  EXPECT_EQ(told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 7);
}

TEST_F(ListenTest, WhoAsksForNothingHearsNothing) {
  EXPECT_EQ(Listen(1, "{}")["params"]["notifications"], Value::object());
  server_.server.Tell({{"shop"}});
  EXPECT_THAT(server_.memory.HearAll(), IsEmpty());
}

TEST_F(ListenTest, ACancelledOneHearsNoMore) {
  Listen(1, R"({"resourcesListChanged":true})");
  Notice("notifications/cancelled", R"({"requestId":1})");
  server_.server.Tell({{"shop"}});
  EXPECT_THAT(server_.memory.HearAll(), IsEmpty());
  Listen(1, R"({"resourcesListChanged":true})");  // its id is free again
  server_.server.Tell({{"shop"}});
  EXPECT_EQ(Hear()["method"], "notifications/resources/list_changed");
}

TEST_F(ListenTest, TheEndOfInputAnswersThoseWhoListenAtOnce) {
  Listen(5, R"({"resourcesListChanged":true})");
  server_.memory.Close(transport::Ending::InputEnded);
  const Value last = Hear();
  EXPECT_EQ(last["id"], 5);
  EXPECT_EQ(last["result"]["resultType"], "complete");
  EXPECT_EQ(last["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 5);
}

struct WrongRow {
  std::string_view name, params;
};
class ListenRefuses : public ListenTest, public ::testing::WithParamInterface<WrongRow> {};

TEST_P(ListenRefuses, WhatIsNoFilter) {
  Say(1, "subscriptions/listen", fmt::format("{{{}{}}}", GetParam().params, kMeta));
  EXPECT_EQ(Hear()["error"]["code"], -32602);
  Listen(1, "{}");  // its id is free again
}

INSTANTIATE_TEST_SUITE_P(
    Rows, ListenRefuses,
    ::testing::Values(WrongRow{"none", ""}, WrongRow{"text", R"("notifications":"all",)"},
                      WrongRow{"flag", R"("notifications":{"resourcesListChanged":1},)"},
                      WrongRow{"uris", R"("notifications":{"resourceSubscriptions":"a"},)"},
                      WrongRow{"uri", R"("notifications":{"resourceSubscriptions":[1]},)"}),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace schemaward::mcp
