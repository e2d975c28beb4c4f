// The model of the connected client: what it is asked, and what is made of its answers.
#include "llm/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/result_matchers.h"

namespace schemaward::llm {
namespace {

class Client : public ::testing::Test {
 protected:
  Result<Reply> Complete(const Result<std::string>& answer) {
    ClientLlm model({"client", "client"},
                    [&](std::string_view method, std::string_view params, CallContext&) {
                      method_ = method;
                      params_ = nlohmann::json::parse(params);
                      return answer;
                    });
    return model.Complete(
        {"be brief", {{Role::User, "a"}, {Role::Assistant, "b"}, {Role::User, "c"}}, 100},
        [this](std::string_view text) { heard_ += text; }, ctx_);
  }
  SystemClock clock_;
  CallContext ctx_{clock_};
  std::string method_, heard_;
  nlohmann::json params_;
};

TEST_F(Client, IsAskedForAMessageAndItsWordsAreTheReply) {
  const auto reply = Complete(
      R"({"role":"assistant","content":{"type":"text","text":"hello"},"model":"m-9","stopReason":"endTurn"})");
  ASSERT_THAT(reply, IsOk());
  EXPECT_EQ(reply->text, "hello");
  EXPECT_EQ(heard_, "hello");
  EXPECT_EQ(reply->model, "m-9");
  EXPECT_TRUE(reply->usage.is_estimate);
  EXPECT_EQ(method_, "sampling/createMessage");
  EXPECT_EQ(params_["systemPrompt"], "be brief");
  EXPECT_EQ(params_["maxTokens"], 100);
  EXPECT_EQ(params_["includeContext"], "none");
  EXPECT_EQ(params_["messages"][1]["role"], "assistant");
  EXPECT_EQ(params_["messages"][2]["content"]["text"], "c");
}

TEST_F(Client, MayAnswerInBlocksAndBeCut) {
  const auto reply = Complete(
      R"({"content":[{"type":"text","text":"a"},{"type":"image"},{"type":"text","text":"b"}],"stopReason":"maxTokens"})");
  ASSERT_THAT(reply, IsOk());
  EXPECT_EQ(reply->text, "ab");
  EXPECT_EQ(reply->stop, Stop::Length);
}

TEST_F(Client, ThatWillNotOrSpeaksOtherwiseIsAnError) {
  EXPECT_THAT(Complete(Error(ErrorKind::PermissionDenied, "no")),
              IsError(ErrorKind::PermissionDenied));
  EXPECT_THAT(Complete(std::string(R"({"action":"decline"})")),
              IsError(ErrorKind::PermissionDenied));
  EXPECT_THAT(Complete(std::string("[]")), IsError(ErrorKind::SourceUnreachable));
}

TEST(ClientWithoutModel, SaysSo) {
  SystemClock clock;
  CallContext ctx(clock);
  ClientLlm model({"client", "client"}, {});
  EXPECT_THAT(model.Complete({"", {{Role::User, "a"}}}, {}, ctx),
              IsError(ErrorKind::InvalidArgument));
}

}  // namespace
}  // namespace schemaward::llm
