// The protocols of providers: what is sent, and what is made of every kind of answer.
#include "llm/provider.h"

#include <deque>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/result_matchers.h"
#include "llm/sse.h"

namespace schemaward::llm {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

const std::string test_key = "sk-test-0123456789abcdef";

// Answers as it is told, and keeps what was asked.
class FakePost {
 public:
  void Says(int status, std::string body, std::optional<std::int64_t> retry_after = {}) {
    answers_.push_back({status, std::move(body), retry_after});
  }
  HttpPost function() {
    return [this](const HttpAsk& ask, const OnPiece& on_piece, CallContext&) -> Result<HttpSaid> {
      asked.push_back(ask);
      HttpSaid said = answers_.front();
      answers_.pop_front();
      if (said.status != 200) return said;
      // Byte by byte: events must not depend on where the network cuts.
      for (const char byte : said.body) WARD_CHECK(on_piece(std::string_view(&byte, 1)));
      return HttpSaid{200, ""};
    };
  }
  std::vector<HttpAsk> asked;

 private:
  std::deque<HttpSaid> answers_;
};

std::string Events(const std::vector<std::string>& data) {
  std::string text;
  for (const std::string& one : data) text += "event: x\r\ndata: " + one + "\r\n\r\n";
  return text;
}

const std::vector<std::string> anthropic_events = {
    R"({"type":"message_start","message":{"model":"claude-x","usage":{"input_tokens":10,"cache_read_input_tokens":80,"cache_creation_input_tokens":5,"output_tokens":1}}})",
    R"({"type":"ping"})",
    R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}})",
    R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"{\"done\""}})",
    R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":":true}"}})",
    R"({"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":7}})",
    R"({"type":"message_stop"})"};

const std::vector<std::string> openai_events = {
    R"({"model":"gpt-x","choices":[{"delta":{"role":"assistant","content":""},"finish_reason":null}]})",
    R"({"choices":[{"delta":{"content":"{\"done\""},"finish_reason":null}]})",
    R"({"choices":[{"delta":{"content":":true}"},"finish_reason":null}]})",
    R"({"choices":[{"delta":{},"finish_reason":"stop"}]})",
    R"({"choices":[],"usage":{"prompt_tokens":95,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":80}}})",
    "[DONE]"};

class Provider : public ::testing::TestWithParam<bool> {
 protected:
  bool is_anthropic() const { return GetParam(); }
  std::vector<std::string> Whole() const {
    return is_anthropic() ? anthropic_events : openai_events;
  }

  Result<Reply> Complete() {
    ProviderOptions options{{"test", "m-1"}, "http://127.0.0.1:1", test_key};
    const auto model = is_anthropic() ? MakeAnthropic(options, post_.function())
                                      : MakeOpenAiChat(options, post_.function());
    return model->Complete(
        request_, [this](std::string_view text) { heard_ += text; }, ctx_);
  }

  SystemClock clock_;
  CallContext ctx_{clock_};
  FakePost post_;
  std::string heard_;
  Request request_{"be brief", {{Role::User, "a"}, {Role::Assistant, "b"}, {Role::User, "c"}}, 100};
};

INSTANTIATE_TEST_SUITE_P(Protocols, Provider, ::testing::Bool(), [](const auto& row) {
  return row.param ? std::string("Anthropic") : std::string("OpenAiChat");
});

TEST_P(Provider, AStreamIsOneReplyWithItsTokens) {
  post_.Says(200, Events(Whole()));
  const auto reply = Complete();
  ASSERT_THAT(reply, IsOk());
  EXPECT_EQ(reply->text, R"({"done":true})");
  EXPECT_EQ(heard_, reply->text);
  EXPECT_EQ(reply->usage.input_tokens, 95);
  EXPECT_EQ(reply->usage.output_tokens, 7);
  EXPECT_EQ(reply->usage.cache_read_tokens, 80);
  EXPECT_FALSE(reply->usage.is_estimate);
  EXPECT_EQ(reply->stop, Stop::Done);
}

TEST_P(Provider, HalfAStreamIsAFaultThatMayPass) {
  auto events = Whole();
  events.resize(3);
  post_.Says(200, Events(events));
  const auto reply = Complete();
  EXPECT_THAT(reply, IsError(ErrorKind::SourceUnreachable, HasSubstr("ended before")));
  EXPECT_TRUE(reply.error().row().retryable);
}

TEST_P(Provider, GarbageIsAFault) {
  for (const char* body : {"<html>gateway</html>", "data: {not json}\n\n", "", "\x00\xff"}) {
    post_.Says(200, body);
    EXPECT_THAT(Complete(), IsError(ErrorKind::SourceUnreachable)) << body;
  }
}

TEST_P(Provider, AStatusIsTheErrorThatSaysWhoCanMendIt) {
  const std::vector<std::pair<int, ErrorKind>> rows = {
      {400, ErrorKind::InvalidArgument},   {401, ErrorKind::SourceAuthFailed},
      {403, ErrorKind::SourceAuthFailed},  {402, ErrorKind::MoneyCap},
      {404, ErrorKind::InvalidArgument},   {413, ErrorKind::ByteCap},
      {422, ErrorKind::InvalidArgument},   {429, ErrorKind::RateLimited},
      {408, ErrorKind::SourceUnreachable}, {409, ErrorKind::SourceUnreachable},
      {425, ErrorKind::SourceUnreachable}, {499, ErrorKind::SourceUnreachable},
      {500, ErrorKind::SourceUnreachable}, {529, ErrorKind::SourceUnreachable}};
  for (const auto& [status, kind] : rows) {
    post_.Says(status, "why");
    EXPECT_THAT(Complete(), IsError(kind)) << status;
  }
}

TEST_P(Provider, ThePromptAboveTheWindowIsSaidSo) {
  post_.Says(400, R"({"error":{"message":"prompt is too long: 1002763 tokens"}})");
  EXPECT_THAT(Complete(), IsError(ErrorKind::ByteCap, HasSubstr("window")));
}

TEST_P(Provider, TheWaitThatIsAskedForIsKept) {
  post_.Says(429, "", 7'000);
  EXPECT_EQ(Complete().error().retry_after_ms(), 7'000);
}

TEST_P(Provider, NoErrorHoldsTheKey) {
  post_.Says(401, "no such key " + test_key + " and " + std::string(560, 'x') + test_key);
  const auto reply = Complete();
  EXPECT_THAT(reply.error().ToLogText(), Not(HasSubstr(test_key)));
  EXPECT_THAT(reply.error().ToLogText(), Not(HasSubstr("sk-test")));
  EXPECT_THAT(reply.error().ToLogText(), HasSubstr("no such key ***"));
}

TEST_P(Provider, AMalformedRequestIsNotSent) {
  request_.messages.pop_back();
  EXPECT_THAT(Complete(), IsError(ErrorKind::InvalidArgument));
  EXPECT_TRUE(post_.asked.empty());
}

TEST_P(Provider, AFailureInsideTheStreamIsItsError) {
  post_.Says(200, Events({R"({"type":"error","error":{"type":"overloaded_error"}})"}));
  EXPECT_THAT(Complete(), IsError(ErrorKind::SourceUnreachable));
  post_.Says(200, Events({R"({"type":"error","error":{"type":"rate_limit_error"}})"}));
  EXPECT_THAT(Complete(), IsError(ErrorKind::RateLimited));
}

TEST_P(Provider, AReplyThatWasCutSaysSo) {
  auto events = Whole();
  for (std::string& event : events)
    for (const auto& [from, to] : {std::pair{"end_turn", "max_tokens"}, {"\"stop\"", "\"length\""}})
      if (const auto at = event.find(from); at != std::string::npos)
        event.replace(at, std::string_view(from).size(), to);
  post_.Says(200, Events(events));
  EXPECT_EQ(Complete()->stop, Stop::Length);
}

TEST(Anthropic, SendsKeyVersionAndCacheMarkers) {
  SystemClock clock;
  CallContext ctx(clock);
  FakePost post;
  post.Says(200, Events(anthropic_events));
  const auto model = MakeAnthropic({{"anthropic", "m-1"}, "https://h", test_key}, post.function());
  Request request{"sys", {{Role::User, "a"}, {Role::Assistant, "b"}, {Role::User, "c"}}, 100};
  request.cached_messages = 1;
  ASSERT_THAT(model->Complete(request, {}, ctx), IsOk());
  const HttpAsk& ask = post.asked.at(0);
  EXPECT_EQ(ask.url, "https://h/v1/messages");
  EXPECT_THAT(ask.headers, ::testing::Contains(Pair("x-api-key", test_key)));
  EXPECT_THAT(ask.headers, ::testing::Contains(Pair("anthropic-version", "2023-06-01")));
  const auto body = nlohmann::json::parse(ask.body);
  EXPECT_EQ(body["max_tokens"], 100);
  EXPECT_EQ(body["system"][0]["cache_control"]["type"], "ephemeral");
  EXPECT_TRUE(body["messages"][0]["content"][0].contains("cache_control"));
  EXPECT_FALSE(body["messages"][2]["content"][0].contains("cache_control"));
  EXPECT_EQ(body["messages"][1]["role"], "assistant");
}

TEST(OpenAiChat, SendsTheNamesThatItsServerKnows) {
  SystemClock clock;
  CallContext ctx(clock);
  for (const auto& [provider, name, limit, has_temperature] :
       {std::tuple{"openai", "gpt-5-mini", "max_completion_tokens", false},
        std::tuple{"openai", "gpt-4.1", "max_completion_tokens", true},
        std::tuple{"ollama", "qwen3", "max_tokens", true}}) {
    FakePost post;
    post.Says(200, Events(openai_events));
    const auto model = MakeOpenAiChat({{provider, name}, "http://h/v1", ""}, post.function());
    ASSERT_THAT(model->Complete({"sys", {{Role::User, "a"}}, 100}, {}, ctx), IsOk());
    const HttpAsk& ask = post.asked.at(0);
    EXPECT_EQ(ask.url, "http://h/v1/chat/completions");
    EXPECT_EQ(ask.headers.size(), 1U);
    const auto body = nlohmann::json::parse(ask.body);
    EXPECT_EQ(body[limit], 100) << name;
    EXPECT_EQ(body.contains("temperature"), has_temperature) << name;
    EXPECT_EQ(body["messages"][0]["role"], "system");
  }
}

TEST(OpenAiChat, TokensAreEstimatedWhereTheServerCountsNone) {
  SystemClock clock;
  CallContext ctx(clock);
  FakePost post;
  post.Says(200, Events({openai_events[1], openai_events[2], openai_events[3]}));
  const auto model = MakeOpenAiChat({{"ollama", "q"}, "http://h", ""}, post.function());
  const auto reply = model->Complete({"sys", {{Role::User, "a"}}, 100}, {}, ctx);
  ASSERT_THAT(reply, IsOk());
  EXPECT_TRUE(reply->usage.is_estimate);
  EXPECT_GT(reply->usage.input_tokens, 0);
  EXPECT_GT(reply->usage.output_tokens, 0);
}

TEST(NamedModels, AreMadeWithTheirKeyAndAddress) {
  SystemClock clock;
  CallContext ctx(clock);
  FakePost post;
  post.Says(200, Events(openai_events));
  const Environment environment = [](const std::string& name) -> std::optional<std::string> {
    if (name == "OPENROUTER_API_KEY") return test_key;
    return std::nullopt;
  };
  auto model =
      MakeModel("openrouter:vendor/m:free", {"", 32'000, 2'000}, environment, post.function());
  ASSERT_THAT(model, IsOk());
  EXPECT_EQ((*model)->info().name, "vendor/m:free");
  EXPECT_EQ((*model)->info().window_tokens, 32'000);
  ASSERT_THAT((*model)->Complete({"s", {{Role::User, "a"}}, 10}, {}, ctx), IsOk());
  EXPECT_EQ(post.asked.at(0).url, "https://openrouter.ai/api/v1/chat/completions");
  EXPECT_THAT(post.asked.at(0).headers,
              ::testing::Contains(Pair("authorization", "Bearer " + test_key)));
  EXPECT_THAT(MakeModel("ollama:q", {"http://10.0.0.1:1/v1/"}, environment, post.function()),
              IsOk());
}

TEST(NamedModels, SayWhatIsMissing) {
  const Environment none = [](const std::string&) { return std::optional<std::string>(); };
  const auto without_key = MakeModel("anthropic:claude-x", {}, none, {});
  EXPECT_THAT(without_key, IsError(ErrorKind::MissingCredential));
  EXPECT_THAT(without_key.error().hint(), HasSubstr("ANTHROPIC_API_KEY"));
  for (const char* name : {"", "anthropic", "anthropic:", "nobody:x"}) {
    const auto model = MakeModel(name, {}, none, {});
    EXPECT_THAT(model, IsError(ErrorKind::InvalidArgument)) << name;
    EXPECT_THAT(model.error().hint(), HasSubstr("openrouter"));
  }
}

TEST(Events, AreJoinedAndBounded) {
  std::vector<std::string> got;
  SseReader reader([&](std::string_view data) {
    got.emplace_back(data);
    return Ok();
  });
  ASSERT_THAT(reader.Feed(": comment\ndata: a\ndata:b\n\nid: 1\r\n\r\ndata: c\r\rdata:\n\ndata: d"),
              IsOk());
  EXPECT_THAT(got, ElementsAre("a\nb", "c", ""));
  SseReader bounded([](std::string_view) { return Ok(); });
  EXPECT_THAT(bounded.Feed("data: " + std::string(SseReader::kEventBytesMax - 6, 'x')), IsOk());
  EXPECT_THAT(bounded.Feed("x"), IsError(ErrorKind::ByteCap));
}

}  // namespace
}  // namespace schemaward::llm
