// The parts of llm that need no network: requests, scripts, recordings, money.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/result_matchers.h"
#include "llm/metered.h"
#include "llm/recorded.h"
#include "llm/retrying.h"
#include "llm/scripted.h"
#include "llm/tokens.h"

namespace schemaward::llm {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const Price test_price{3, 15, 0.3, 3.75};

ModelInfo Info() { return {"scripted", "test", 10'000, 1'000}; }

Request Ask(const std::string& text) { return {"be brief", {{Role::User, text}}, 100}; }

ScriptedTurn Fails(Error error) { return {"", std::move(error)}; }

class Models : public ::testing::Test {
 protected:
  std::shared_ptr<ScriptedLlm> Script(std::vector<ScriptedTurn> turns) {
    return std::make_shared<ScriptedLlm>(Info(), std::move(turns));
  }
  RetryingLlm Retrying(std::shared_ptr<Llm> inner) {
    return {std::move(inner), RetryPolicy{},
            [this](milliseconds span, CallContext& ctx) {
              waits_.push_back(span.count());
              return ctx.Check();
            },
            [] { return 0.5; }};
  }

  FakeClock clock_;
  CallContext ctx_{clock_};
  std::vector<std::int64_t> waits_;
};

TEST_F(Models, ARequestAlternatesBetweenUserAndAssistant) {
  const Message user{Role::User, "u"};
  const Message assistant{Role::Assistant, "a"};
  EXPECT_THAT(CheckRequest({"", {user}}), IsOk());
  EXPECT_THAT(CheckRequest({"", {user, assistant, user}}), IsOk());
  const std::vector<std::vector<Message>> wrong = {
      {}, {assistant}, {user, assistant}, {user, user, user}, {user, {Role::Assistant, ""}, user}};
  for (const auto& messages : wrong)
    EXPECT_THAT(CheckRequest({"", messages}), IsError(ErrorKind::InvalidArgument));
  EXPECT_THAT(CheckRequest({"", {user}, 0}), IsError(ErrorKind::InvalidArgument));
}

TEST_F(Models, AScriptIsSaidInTurnAndEnds) {
  auto model = Script({{"one"}, {"two"}});
  std::string heard;
  const OnWords hear = [&](std::string_view text) { heard += text; };
  EXPECT_EQ(model->Complete(Ask("a"), hear, ctx_)->text, "one");
  EXPECT_EQ(model->Complete(Ask("b"), hear, ctx_)->text, "two");
  EXPECT_THAT(model->Complete(Ask("c"), {}, ctx_),
              IsError(ErrorKind::InvalidArgument, HasSubstr("ended")));
  EXPECT_EQ(heard, "onetwo");
  EXPECT_EQ(model->Requests().size(), 3U);
}

TEST_F(Models, AScriptRefusesAPromptAboveTheWindow) {
  auto model = Script({{"one"}});
  Request request = Ask("a");
  request.output_tokens_max = Info().window_tokens;
  EXPECT_THAT(model->Complete(request, {}, ctx_), IsError(ErrorKind::ByteCap, HasSubstr("window")));
}

TEST_F(Models, AScriptIsReadFromJson) {
  const auto model = ScriptedLlm::Parse(Info(), R"(["text", {"done": true}])");
  ASSERT_THAT(model, IsOk());
  EXPECT_EQ((*model)->Complete(Ask("a"), {}, ctx_)->text, "text");
  EXPECT_EQ((*model)->Complete(Ask("a"), {}, ctx_)->text, R"({"done":true})");
  EXPECT_THAT(ScriptedLlm::Parse(Info(), "{}"), IsError(ErrorKind::InputUnreadable));
}

TEST_F(Models, ARecordingGivesTheSameRepliesWithoutItsModel) {
  std::string lines;
  RecordingLlm recording(Script({{"one"}, {"two"}, {"three"}}), [&](const std::string& line) {
    lines += line + "\n";
    return Ok();
  });
  for (const char* text : {"a", "b", "a"})
    ASSERT_THAT(recording.Complete(Ask(text), {}, ctx_), IsOk());
  EXPECT_THAT(lines, Not(HasSubstr("be brief")));
  const auto replay = RecordedLlm::Parse(Info(), lines);
  ASSERT_THAT(replay, IsOk());
  EXPECT_EQ((*replay)->Complete(Ask("a"), {}, ctx_)->text, "one");
  EXPECT_EQ((*replay)->Complete(Ask("a"), {}, ctx_)->text, "three");
  EXPECT_EQ((*replay)->Complete(Ask("b"), {}, ctx_)->text, "two");
  EXPECT_THAT((*replay)->Complete(Ask("b"), {}, ctx_),
              IsError(ErrorKind::InvalidArgument, HasSubstr("no reply")));
}

TEST_F(Models, ARecordingThatIsNoneIsRefusedByItsLine) {
  EXPECT_THAT(RecordedLlm::Parse(Info(), "\n{\"request\":\"x\"}\n"),
              IsError(ErrorKind::InputUnreadable, HasSubstr("line 2")));
}

TEST_F(Models, AnythingThatTheModelSeesChangesTheHash) {
  const Request plain = Ask("a");
  Request other = plain;
  other.system += " ";
  EXPECT_NE(HashOf(plain), HashOf(other));
  other = plain;
  other.messages = {{Role::User, "a\"U\""}};
  EXPECT_NE(HashOf(plain), HashOf(other));
  other = plain;
  other.output_tokens_max = 101;
  EXPECT_NE(HashOf(plain), HashOf(other));
}

TEST_F(Models, AModelThatIsAwayIsAskedAgain) {
  auto model =
      Retrying(Script({Fails(Error(ErrorKind::SourceUnreachable, "away")),
                       Fails(std::move(Error(ErrorKind::RateLimited, "slow").RetryAfter(9'000))),
                       {"here"}}));
  const auto reply = model.Complete(Ask("a"), {}, ctx_);
  ASSERT_THAT(reply, IsOk());
  EXPECT_EQ(reply->text, "here");
  EXPECT_EQ(reply->tries, 3);
  EXPECT_THAT(waits_, ElementsAre(1'000, 9'000));
}

TEST_F(Models, AModelThatStaysAwayIsAskedFiveTimes) {
  auto script = std::make_shared<ScriptedLlm>(Info(), [](const Request&, std::size_t) {
    return Fails(Error(ErrorKind::SourceUnreachable, "away"));
  });
  const auto reply = Retrying(script).Complete(Ask("a"), {}, ctx_);
  EXPECT_THAT(reply, IsError(ErrorKind::SourceUnreachable));
  EXPECT_THAT(reply.error().detail(), HasSubstr("5 times"));
  EXPECT_EQ(script->Requests().size(), 5U);
}

TEST_F(Models, WhatAnotherTryCannotMendIsNotTriedAgain) {
  for (const ErrorKind kind :
       {ErrorKind::InvalidArgument, ErrorKind::SourceAuthFailed, ErrorKind::MissingCredential,
        ErrorKind::MoneyCap, ErrorKind::Cancelled}) {
    auto script = Script({Fails(Error(kind, "no")), {"never"}});
    EXPECT_THAT(Retrying(script).Complete(Ask("a"), {}, ctx_), IsError(kind));
    EXPECT_EQ(script->Requests().size(), 1U);
  }
  EXPECT_TRUE(waits_.empty());
}

TEST_F(Models, ACallThatIsOverIsNotTriedAgain) {
  auto script = std::make_shared<ScriptedLlm>(Info(), [&](const Request&, std::size_t) {
    clock_.Advance(std::chrono::hours(1));
    return Fails(Error(ErrorKind::SourceUnreachable, "away"));
  });
  ctx_.deadline = Deadline::After(clock_, milliseconds(1));
  EXPECT_THAT(Retrying(script).Complete(Ask("a"), {}, ctx_), IsError(ErrorKind::SourceUnreachable));
  EXPECT_TRUE(waits_.empty());
}

TEST(Cost, CountsEachKindOfTokenAndRoundsUp) {
  EXPECT_EQ(CostOf(test_price, {.input_tokens = 1'000'000}), 3 * kNanoPerUsd);
  EXPECT_EQ(CostOf(test_price, {.output_tokens = 1'000'000}), 15 * kNanoPerUsd);
  EXPECT_EQ(
      CostOf(test_price, {.input_tokens = 100, .cache_read_tokens = 60, .cache_write_tokens = 30}),
      10 * 3'000 + 60 * 300 + 30 * 3'750);
  EXPECT_EQ(CostOf({.input = 0.0001}, {.input_tokens = 1}), 1);
  EXPECT_EQ(ShowUsd(12'345'001), "0.012346");
  EXPECT_EQ(ShowUsd(3 * kNanoPerUsd), "3.000000");
}

TEST(Prices, AreFoundByProviderAndModel) {
  const auto list = PriceList::Parse(
      R"({"format":"schemaward-prices","version":1,"models":{
          "scripted/test":{"input":3,"output":15,"cache_read":0.3,"cache_write":3.75},
          "scripted/*":{"input":1,"output":2}}})");
  ASSERT_THAT(list, IsOk());
  EXPECT_EQ(list->Find(Info()), test_price);
  EXPECT_EQ(list->Find({"scripted", "other"}), (Price{1, 2, 1, 1}));
  EXPECT_EQ(list->Find({"other", "test"}), std::nullopt);
}

TEST(Prices, AFileThatIsNoneIsRefused) {
  for (const char* text :
       {"", "[]", R"({"format":"x","version":1,"models":{}})",
        R"({"format":"schemaward-prices","version":1})",
        R"({"format":"schemaward-prices","version":1,"models":{"a/b":{"input":1}}})",
        R"({"format":"schemaward-prices","version":1,"models":{"a/b":{"input":-1,"output":1}}})",
        R"({"format":"schemaward-prices","version":1,"models":{"a/b":{"input":"1","output":1}}})"})
    EXPECT_THAT(PriceList::Parse(text), IsError(ErrorKind::InputUnreadable)) << text;
}

TEST_F(Models, TokensAndMoneyAreCounted) {
  const Usage usage{.input_tokens = 1'000, .output_tokens = 100};
  auto script = Script({{"a", {}, Stop::Done, usage},
                        Fails(Error(ErrorKind::SourceUnreachable, "away")),
                        {"b", {}, Stop::Done, usage}});
  MeteredLlm model(script, {.price = test_price});
  for (int i = 0; i < 3; ++i) (void)model.Complete(Ask("x"), {}, ctx_);
  const Spent spent = model.spent();
  EXPECT_EQ(spent.calls, 3);
  EXPECT_EQ(spent.failed_calls, 1);
  EXPECT_EQ(spent.usage.input_tokens, 2'000);
  EXPECT_EQ(spent.usage.output_tokens, 200);
  EXPECT_EQ(spent.cost, 2 * (1'000 * 3'000 + 100 * 15'000));
}

TEST_F(Models, ACallThatCouldPassTheLimitIsNotMade) {
  const Usage usage{.input_tokens = 20, .output_tokens = 100};
  auto script = std::make_shared<ScriptedLlm>(Info(), [&](const Request&, std::size_t) {
    return ScriptedTurn{"a", {}, Stop::Done, usage};
  });
  const NanoUsd one = CostOf(test_price, usage);
  MeteredLlm model(script, {.price = test_price, .cost_max = 3 * one});
  std::size_t made = 0;
  while (made < 10 && model.Complete(Ask("x"), {}, ctx_)) ++made;
  EXPECT_THAT(model.Complete(Ask("x"), {}, ctx_), IsError(ErrorKind::MoneyCap));
  EXPECT_EQ(script->Requests().size(), made);
  EXPECT_GE(made, 2U);
  EXPECT_LE(model.spent().cost, 3 * one);
}

TEST_F(Models, WhatWasSpentBeforeCounts) {
  Spent before;
  before.cost = kNanoPerUsd;
  MeteredLlm model(Script({{"a"}}),
                   {.price = test_price, .cost_max = kNanoPerUsd, .before = before});
  EXPECT_THAT(model.Complete(Ask("x"), {}, ctx_), IsError(ErrorKind::MoneyCap));
}

TEST(Tokens, AreWithinTenPercentOfATokenizersCount) {
  std::ifstream file(std::string(WARD_SOURCE_DIR) + "/tests/explore/tokens.jsonl");
  std::string line;
  std::size_t lines = 0;
  while (std::getline(file, line)) {
    const auto sample = nlohmann::json::parse(line);
    const double counted = sample["tokens"].get<double>();
    const auto estimate = static_cast<double>(EstimateTokens(sample["text"].get<std::string>()));
    EXPECT_NEAR(estimate / counted, 1, 0.1) << sample["name"];
    ++lines;
  }
  EXPECT_EQ(lines, 15U);
}

TEST(Tokens, AreNoneOfNothingAndGrowWithTheText) {
  EXPECT_EQ(EstimateTokens(""), 0);
  EXPECT_GE(EstimateTokens("x"), 1);
  EXPECT_GE(EstimateTokens(std::string(1'000, ' ')), 1);
  EXPECT_GE(EstimateTokens(std::string(1'000, '7')), 300);
  EXPECT_GE(EstimateTokens("\xff\xfe\x80"), 1);
}

}  // namespace
}  // namespace schemaward::llm
