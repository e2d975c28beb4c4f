// COVERS: R-WS-1 R-MCP-1 R-MCP-5
// MAKES: policy_blocked/confirmation_required policy_blocked/confirmation_declined
// A call that would destroy something, over a whole server in memory: nothing but the user's yes
// goes ahead, in either era.
#include "mcp/confirm.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "mcp/test_hear.h"
#include "mcp/test_support.h"
#include "tool/cursor.h"

namespace schemaward::mcp {
namespace {

using json::Value;
using mcp::testing::TestServer;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kYes = R"({"action":"accept","content":{"confirm":true}})";
constexpr std::chrono::milliseconds kAtOnce{1};

TEST(Consent, IsATrueInTheOneFieldOfAnAcceptedFormAndNothingElse) {
  struct Row {
    std::string_view answer;
    Consent consent;
  };
  const Row rows[] = {
      {kYes, Consent::Given},
      {R"({"action":"accept","content":{"confirm":true,"more":1}})", Consent::Given},
      {R"({"action":"accept","content":{"confirm":false}})", Consent::Declined},
      {R"({"action":"decline"})", Consent::Declined},
      {R"({"action":"decline","content":{"confirm":true}})", Consent::Declined},
      {R"({"action":"cancel"})", Consent::Declined},
      {R"({"action":"accept"})", Consent::Unreadable},
      {R"({"action":"accept","content":{}})", Consent::Unreadable},
      {R"({"action":"accept","content":{"confirm":"true"}})", Consent::Unreadable},
      {R"({"action":"accept","content":{"confirm":1}})", Consent::Unreadable},
      {R"({"action":"accept","content":{"confirm":null}})", Consent::Unreadable},
      {R"({"action":"accept","content":[true]})", Consent::Unreadable},
      {R"({"action":"accept","content":{"Confirm":true}})", Consent::Unreadable},
      {R"({"action":"ACCEPT","content":{"confirm":true}})", Consent::Unreadable},
      {R"({"action":"yes","content":{"confirm":true}})", Consent::Unreadable},
      {R"({"action":["accept"],"content":{"confirm":true}})", Consent::Unreadable},
      {R"({"content":{"confirm":true}})", Consent::Unreadable},
      {"{}", Consent::Unreadable},
      {"null", Consent::Unreadable},
      {"true", Consent::Unreadable},
      {R"("accept")", Consent::Unreadable},
      {"[]", Consent::Unreadable},
  };
  for (const Row& row : rows)
    EXPECT_EQ(ConsentIn(Value::parse(row.answer)), row.consent) << row.answer;
}

TEST(Consent, TheFormSaysWhatIsLostAndHasOneBoxThatIsEmpty) {
  const Value form = Value::parse(ConsentForm("the note \"a\" would be lost"));
  EXPECT_EQ(form["message"], "the note \"a\" would be lost. Go ahead?");
  EXPECT_EQ(form["requestedSchema"]["properties"].size(), 1u);
  EXPECT_EQ(form["requestedSchema"]["properties"]["confirm"]["default"], false);
  EXPECT_EQ(form["requestedSchema"]["required"], Value::array({"confirm"}));
  const Value cut = Value::parse(ConsentForm(std::string(5'000, 'x')));
  EXPECT_LE(cut["message"].get<std::string>().size(), 600u);
}

class Confirming : public ::testing::Test {
 protected:
  explicit Confirming(std::chrono::milliseconds consent_max = kConsentMax)
      : server_({.threads = 4, .queue_max = 16}, "", {"workspaces"}, consent_max) {}

  Value Hear() { return mcp::testing::HearOf(server_.memory); }
  void Initialize(std::string_view version, std::string_view capabilities) {
    server_.memory.Say(fmt::format(
        R"({{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"{}","capabilities":{},"clientInfo":{{"name":"t","version":"1"}}}}}})",
        version, capabilities));
    Hear();
  }
  void Forget(int id, std::string_view arguments = R"({"note":"a"})", std::string_view more = "") {
    server_.memory.Say(fmt::format(
        R"({{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{{"name":"forget","arguments":{}{}}}}})",
        id, arguments, more));
  }
  void Answer(const Value& asked, std::string_view body) {
    server_.memory.Say(fmt::format(R"({{"jsonrpc":"2.0","id":{},{}}})", asked["id"].dump(), body));
  }
  // The next message is the refusal `code` of call `id`, and nothing was destroyed.
  void ExpectRefused(int id, std::string_view code) {
    const Value answer = Hear();
    EXPECT_EQ(answer["id"], id) << answer;
    EXPECT_EQ(answer["result"]["isError"], true) << answer;
    EXPECT_EQ(answer["result"]["structuredContent"]["error_code"], code) << answer;
    EXPECT_EQ(server_.forgotten, 0);
  }
  void ExpectDone(int id) {
    const Value answer = Hear();
    EXPECT_EQ(answer["id"], id) << answer;
    EXPECT_EQ(answer["result"]["structuredContent"]["status"], "success") << answer;
    EXPECT_EQ(server_.forgotten, 1);
  }

  TestServer server_;
};

class HastyConfirming : public Confirming {
 protected:
  HastyConfirming() : Confirming(kAtOnce) {}
};

// The eras with requests.

TEST_F(Confirming, AClientThatShowsFormsIsAskedAndItsYesGoesAhead) {
  for (const std::string_view version : {"2025-06-18", "2025-11-25"}) {
    server_.forgotten = 0;
    Initialize(version, R"({"elicitation":{}})");
    Forget(1);
    const Value asked = Hear();
    EXPECT_EQ(asked["method"], "elicitation/create");
    EXPECT_EQ(asked["params"]["message"], "the note \"a\" would be lost. Go ahead?");
    EXPECT_EQ(server_.forgotten, 0);
    Answer(asked, fmt::format(R"("result":{})", kYes));
    ExpectDone(1);
  }
}

TEST_F(Confirming, AnAnswerThatIsNoYesIsATypedRefusal) {
  Initialize("2025-11-25", R"({"elicitation":{"form":{}}})");
  const std::pair<std::string_view, std::string_view> rows[] = {
      {R"("result":{"action":"decline"})", "CONFIRMATION_DECLINED"},
      {R"("result":{"action":"cancel"})", "CONFIRMATION_DECLINED"},
      {R"("result":{"action":"accept","content":{"confirm":false}})", "CONFIRMATION_DECLINED"},
      {R"("result":{"action":"accept"})", "CONFIRMATION_REQUIRED"},
      {R"("result":{})", "CONFIRMATION_REQUIRED"},
      {R"("error":{"code":-32601,"message":"Method not found"})", "CONFIRMATION_REQUIRED"},
      {R"("error":"odd")", "CONFIRMATION_REQUIRED"},
  };
  int id = 1;
  for (const auto& [answer, code] : rows) {
    SCOPED_TRACE(answer);
    Forget(id);
    Answer(Hear(), answer);
    ExpectRefused(id, code);
    ++id;
  }
}

TEST_F(HastyConfirming, AnAnswerThatDoesNotComeInTimeIsARefusalAndLaterANothing) {
  Initialize("2025-11-25", R"({"elicitation":{}})");
  Forget(1);
  const Value asked = Hear();
  EXPECT_EQ(asked["method"], "elicitation/create");
  EXPECT_EQ(Hear()["method"], "notifications/cancelled");
  ExpectRefused(1, "CONFIRMATION_REQUIRED");
  Answer(asked, fmt::format(R"("result":{})", kYes));
  server_.memory.Say(R"({"jsonrpc":"2.0","id":2,"method":"ping"})");
  EXPECT_EQ(Hear()["id"], 2);
  EXPECT_EQ(server_.forgotten, 0);
}

TEST_F(Confirming, AClientThatLeavesWhileItsUserIsAskedDestroysNothing) {
  Initialize("2025-11-25", R"({"elicitation":{}})");
  Forget(1);
  const Value asked = Hear();
  server_.memory.Close(transport::Ending::InputEnded);
  EXPECT_EQ(Hear()["method"], "notifications/cancelled");
  ExpectRefused(1, "CONFIRMATION_REQUIRED");
}

TEST_F(Confirming, HalfOfTheWorkersMayWaitForUsersAndTheOthersWork) {
  Initialize("2025-11-25", R"({"elicitation":{}})");
  Forget(1);
  const Value first = Hear();
  Forget(2);
  const Value second = Hear();
  EXPECT_EQ(second["method"], "elicitation/create");
  Forget(3);
  ExpectRefused(3, "CONFIRMATION_REQUIRED");
  Answer(first, R"("result":{"action":"decline"})");
  ExpectRefused(1, "CONFIRMATION_DECLINED");
  Forget(4);  // the place is free again
  const Value fourth = Hear();
  EXPECT_EQ(fourth["method"], "elicitation/create");
  Answer(fourth, fmt::format(R"("result":{})", kYes));
  ExpectDone(4);
  Answer(second, R"("result":{"action":"decline"})");
  EXPECT_THAT(Hear().dump(), HasSubstr("CONFIRMATION_DECLINED"));
}

TEST_F(Confirming, ACallThatIsCancelledWhileItsUserIsAskedDestroysNothing) {
  Initialize("2025-11-25", R"({"elicitation":{}})");
  Forget(1);
  const Value asked = Hear();
  server_.memory.Say(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  EXPECT_EQ(Hear()["params"]["requestId"], asked["id"]);
  Answer(asked, fmt::format(R"("result":{})", kYes));
  server_.memory.Say(R"({"jsonrpc":"2.0","id":2,"method":"ping"})");
  EXPECT_EQ(Hear()["id"], 2);
  EXPECT_EQ(server_.forgotten, 0);
}

TEST_F(Confirming, WhoCannotBeAskedIsRefusedAndTheArgumentAloneHelps) {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"2025-11-25", "{}"},
      {"2025-11-25", R"({"elicitation":null})"},
      {"2025-11-25", R"({"elicitation":{"url":{}}})"},
      {"2025-11-25", R"({"sampling":{}})"},
      {"2025-03-26", R"({"elicitation":{}})"},
      {"2024-11-05", R"({"elicitation":{}})"},
  };
  int id = 1;
  for (const auto& [version, capabilities] : rows) {
    SCOPED_TRACE(capabilities);
    Initialize(version, capabilities);
    Forget(id);
    const Value answer = Hear();
    EXPECT_EQ(answer["id"], id);
    EXPECT_THAT(answer.dump(), HasSubstr("CONFIRMATION_REQUIRED"));
    ++id;
  }
  EXPECT_EQ(server_.forgotten, 0);
  Initialize("2025-11-25", "{}");
  Forget(id, R"({"note":"a","confirm":true})");
  ExpectDone(id);
}

TEST_F(Confirming, AConfirmedOrUnreadableCallAsksNobody) {
  Initialize("2025-11-25", R"({"elicitation":{}})");
  Forget(1, R"({"nota":"a"})");
  ExpectRefused(1, "INVALID_ARGUMENT");
  Forget(2, R"({"note":"a","confirm":false})");
  EXPECT_EQ(Hear()["method"], "elicitation/create");
  Forget(3, R"({"note":"a","confirm":true})");
  ExpectDone(3);
}

// The era without requests.

constexpr std::string_view kModern =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}})";

class Stateless : public Confirming {
 protected:
  // Makes the call, and returns the state of the question that comes in place of an answer.
  std::string Asked(int id, std::string_view arguments = R"({"note":"a"})") {
    Forget(id, arguments, fmt::format(",{}", kModern));
    return StateIn(Hear());
  }
  std::string StateIn(const Value& message) {
    EXPECT_EQ(message["result"]["resultType"], "input_required") << message;
    EXPECT_EQ(message["result"]["inputRequests"]["confirm"]["method"], "elicitation/create");
    EXPECT_FALSE(message["result"].contains("content"));
    EXPECT_EQ(server_.forgotten, 0);
    return message["result"].value("requestState", "");
  }
  // Makes the call again with an answer.
  void Return(int id, std::string_view responses, const std::string& state,
              std::string_view arguments = R"({"note":"a"})") {
    Forget(id, arguments,
           fmt::format(R"(,"inputResponses":{},"requestState":{},{})", responses,
                       json::Quote(state), kModern));
  }
  void ExpectFailure(int id) {
    const Value answer = Hear();
    EXPECT_EQ(answer["id"], id);
    EXPECT_EQ(answer["error"]["code"], -32602) << answer;
    EXPECT_EQ(server_.forgotten, 0);
  }
  static std::string Under(std::string_view answer) {
    return fmt::format(R"({{"confirm":{}}})", answer);
  }
  static std::string SealedAt(std::int64_t micros, const std::string& tool) {
    return tool::SealCursor(
        mcp::testing::kTestStateKey,
        {tool, tool::HashArguments(R"({"note":"a"})"), 0, std::to_string(micros), "local"});
  }
};

TEST_F(Stateless, ACallIsAskedByItsResultAndMadeAgainWithTheYes) {
  const std::string state = Asked(1);
  Return(2, Under(kYes), state);
  ExpectDone(2);
}

TEST_F(Stateless, AYesGoesAheadOnce) {
  const std::string state = Asked(1);
  Return(2, Under(kYes), state);
  ExpectDone(2);
  server_.forgotten = 0;
  Return(3, Under(kYes), state);
  ExpectRefused(3, "CONFIRMATION_REQUIRED");
  const std::string next = Asked(4);
  Return(5, Under(kYes), next);
  ExpectDone(5);
}

TEST_F(Stateless, AnAnswerThatIsNoYesIsATypedRefusal) {
  const std::string state = Asked(1);
  Return(2, Under(R"({"action":"decline"})"), state);
  ExpectRefused(2, "CONFIRMATION_DECLINED");
  Return(3, Under(R"({"action":"cancel"})"), state);
  ExpectRefused(3, "CONFIRMATION_DECLINED");
  Return(4, Under(R"({"action":"accept","content":{"confirm":"yes"}})"), state);
  ExpectRefused(4, "CONFIRMATION_REQUIRED");
  Return(5, Under("7"), state);
  ExpectRefused(5, "CONFIRMATION_REQUIRED");
}

TEST_F(Stateless, AnAnswerToAnotherQuestionOrToNoneIsAskedForAgain) {
  const std::string state = Asked(1);
  Return(2, fmt::format(R"({{"other":{}}})", kYes), state);
  EXPECT_FALSE(StateIn(Hear()).empty());
  Return(3, "[]", state);
  EXPECT_FALSE(StateIn(Hear()).empty());
  // An answer that no question was asked for is not heard.
  Forget(4, R"({"note":"a"})", fmt::format(R"(,"inputResponses":{},{})", Under(kYes), kModern));
  EXPECT_FALSE(StateIn(Hear()).empty());
}

TEST_F(Stateless, AStateThatWasNotMadeForThisCallIsAFailure) {
  const std::string state = Asked(1);
  Return(2, Under(kYes), state, R"({"note":"b"})");
  ExpectFailure(2);
  std::string changed = state;
  changed.front() = changed.front() == 'A' ? 'B' : 'A';
  Return(3, Under(kYes), changed);
  ExpectFailure(3);
  Return(4, Under(kYes), "");
  ExpectFailure(4);
  Return(5, Under(kYes), SealedAt(server_.clock.UnixMicros(), "forget"));
  ExpectFailure(5);
  Return(6, Under(kYes), SealedAt(server_.clock.UnixMicros(), "consent:echo"));
  ExpectFailure(6);
  Forget(7, R"({"note":"a"})",
         fmt::format(R"(,"inputResponses":{},"requestState":7,{})", Under(kYes), kModern));
  ExpectFailure(7);
}

TEST_F(Stateless, AnAnswerIsGoodForTenMinutes) {
  const auto ago = [&](std::chrono::microseconds span) {
    return SealedAt(server_.clock.UnixMicros() - span.count(), "consent:forget");
  };
  Return(1, Under(kYes), ago(kConsentGoodMax + std::chrono::seconds(1)));
  ExpectRefused(1, "CONFIRMATION_REQUIRED");
  Return(2, Under(kYes), ago(kConsentGoodMax - std::chrono::minutes(1)));
  ExpectDone(2);
}

TEST_F(Stateless, WhoCannotShowFormsIsRefused) {
  Forget(
      1, R"({"note":"a"})",
      R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})");
  ExpectRefused(1, "CONFIRMATION_REQUIRED");
}

TEST_F(Stateless, ASessionsAbilitiesAreNotThoseOfARequestThatSpeaksForItself) {
  Initialize("2025-11-25", R"({"elicitation":{}})");
  Forget(
      1, R"({"note":"a"})",
      R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})");
  ExpectRefused(1, "CONFIRMATION_REQUIRED");
}

TEST_F(Stateless, TheStateShowsNothingOfTheCall) {
  const std::string state = Asked(1, R"({"note":"s3cret"})");
  EXPECT_THAT(state, Not(HasSubstr("s3cret")));
}

}  // namespace
}  // namespace schemaward::mcp
