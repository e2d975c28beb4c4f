// Models over real HTTP: servers on loopback that speak each protocol, well and badly.
#include "llm/transport.h"

#include <filesystem>
#include <stop_token>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/result_matchers.h"
#include "llm/metered.h"
#include "llm/retrying.h"
#include "llm/stub_server.h"
#include "net/lazy_client.h"

namespace schemaward::llm {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string test_key = "sk-test-0123456789abcdef";

/// A protocol: its name, the events of a whole reply "hi you", and how the key is sent.
struct Speech {
  const char* name;
  std::vector<std::string> events;
  std::string path;
  std::string key_header;
  std::unique_ptr<Llm> (*make)(ProviderOptions, HttpPost);
};

std::vector<Speech> Speeches() {
  return {
      {"Anthropic",
       {R"({"type":"message_start","message":{"model":"m","usage":{"input_tokens":9,"output_tokens":1}}})",
        R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hi "}})",
        R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"you"}})",
        R"({"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}})",
        R"({"type":"message_stop"})"},
       "POST /v1/messages HTTP/1.1",
       "x-api-key: " + test_key,
       MakeAnthropic},
      {"OpenAiChat",
       {R"({"model":"m","choices":[{"delta":{"role":"assistant","content":"hi "},"finish_reason":null}]})",
        R"({"choices":[{"delta":{"content":"you"},"finish_reason":null}]})",
        R"({"choices":[{"delta":{},"finish_reason":"stop"}]})",
        R"({"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2}})", "[DONE]"},
       "POST /chat/completions HTTP/1.1",
       "authorization: Bearer " + test_key,
       MakeOpenAiChat}};
}

std::string Chunk(const std::string& text) {
  return fmt::format("{:x}\r\n{}\r\n", text.size(), text);
}

/// The events up to `count` as a chunked stream; `ends`: with the last chunk.
StubAnswer Stream(const std::vector<std::string>& events, std::size_t count, bool ends) {
  StubAnswer answer;
  answer.pieces.emplace_back(
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (std::size_t i = 0; i < count; ++i)
    answer.pieces.push_back(Chunk("data: " + events[i] + "\n\n"));
  if (ends) answer.pieces.emplace_back("0\r\n\r\n");
  return answer;
}

/// A port of this machine at which nobody listens, and nobody else can while it lives.
class ClosedPort {
 public:
  ClosedPort() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(socket_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
  }
  ~ClosedPort() { ::close(socket_); }
  ClosedPort(const ClosedPort&) = delete;
  ClosedPort& operator=(const ClosedPort&) = delete;
  std::string url() const { return fmt::format("http://127.0.0.1:{}", port_); }

 private:
  const int socket_;
  int port_ = 0;
};

class OverHttp : public ::testing::TestWithParam<std::size_t> {
 protected:
  const Speech& speech() const { return speech_; }
  StubAnswer Whole() const { return Stream(speech_.events, speech_.events.size(), true); }

  std::shared_ptr<Llm> Model(const std::string& url, milliseconds time_max = milliseconds(60'000)) {
    auto client = std::make_shared<net::LazyHttpClient>(
        std::vector<std::filesystem::path>{std::string(WARD_BINARY_DIR) + "/lib/schemaward"});
    ProviderOptions options{{"test", "m-1"}, url, test_key, time_max};
    return speech_.make(std::move(options), PostBy(std::move(client), ""));
  }
  /// The same, asked again as the program does, but without waiting.
  RetryingLlm Patient(const std::string& url) {
    return {Model(url), RetryPolicy{},
            [this](milliseconds span, CallContext& ctx) {
              waits_.push_back(span.count());
              return ctx.Check();
            },
            [] { return 0.5; }};
  }

  const Speech speech_ = Speeches()[GetParam()];
  SystemClock clock_;
  CallContext ctx_{clock_};
  std::vector<std::int64_t> waits_;
  const Request request_{"be brief", {{Role::User, "say hello"}}, 100};
};

INSTANTIATE_TEST_SUITE_P(Protocols, OverHttp, ::testing::Values(0U, 1U),
                         [](const auto& row) { return std::string(Speeches()[row.param].name); });

TEST_P(OverHttp, AStreamArrivesWordByWord) {
  StubServer server({Whole()});
  std::vector<std::string> heard;
  const auto reply =
      Model(server.url())
          ->Complete(
              request_, [&](std::string_view text) { heard.emplace_back(text); }, ctx_);
  ASSERT_THAT(reply, IsOk());
  EXPECT_EQ(reply->text, "hi you");
  EXPECT_THAT(heard, ElementsAre("hi ", "you"));
  EXPECT_EQ(reply->usage.input_tokens, 9);
  EXPECT_EQ(reply->usage.output_tokens, 2);
  EXPECT_THAT(server.Requests(),
              ElementsAre(::testing::AllOf(HasSubstr(speech().path), HasSubstr(speech().key_header),
                                           HasSubstr("say hello"))));
}

TEST_P(OverHttp, IsAskedAgainAfterWhatMayPass) {
  StubServer server({Answer(429, "{}", "Retry-After: 7\r\n"), Answer(499, ""), Answer(408, ""),
                     Answer(529, "overloaded"), Whole()});
  auto model = Patient(server.url());
  const auto reply = model.Complete(request_, {}, ctx_);
  ASSERT_THAT(reply, IsOk());
  EXPECT_EQ(reply->text, "hi you");
  EXPECT_EQ(reply->tries, 5);
  EXPECT_THAT(waits_, ElementsAre(7'000, 2'000, 4'000, 8'000));
}

TEST_P(OverHttp, EachStatusThatMayPassIsAskedAgain) {
  for (const int status : {408, 409, 425, 429, 499, 500, 502, 503, 504, 529}) {
    StubServer server({Answer(status, "later"), Whole()});
    auto model = Patient(server.url());
    const auto reply = model.Complete(request_, {}, ctx_);
    ASSERT_THAT(reply, IsOk()) << status;
    EXPECT_EQ(reply->tries, 2) << status;
  }
}

TEST_P(OverHttp, EachStatusThatNobodyCanWaitForIsNotAskedAgain) {
  for (const int status : {400, 401, 402, 403, 404, 413, 422}) {
    StubServer server({Answer(status, "no"), Whole()});
    auto model = Patient(server.url());
    EXPECT_FALSE(model.Complete(request_, {}, ctx_)) << status;
    EXPECT_EQ(server.Requests().size(), 1U) << status;
  }
}

TEST_P(OverHttp, AConnectionThatIsRefusedIsTriedAgainAndThenAFault) {
  const ClosedPort port;
  auto model = Patient(port.url());
  EXPECT_THAT(model.Complete(request_, {}, ctx_), IsError(ErrorKind::SourceUnreachable));
  EXPECT_EQ(waits_.size(), 4U);
}

TEST_P(OverHttp, IsAskedAgainAfterHalfAStream) {
  StubServer server({Stream(speech().events, 2, false), Stream(speech().events, 2, true), Whole()});
  std::string heard;
  const OnWords hear = [&](std::string_view text) {
    if (text.empty()) heard.clear();
    heard += text;
  };
  auto model = Patient(server.url());
  const auto reply = model.Complete(request_, hear, ctx_);
  ASSERT_THAT(reply, IsOk());
  EXPECT_EQ(reply->text, "hi you");
  EXPECT_EQ(heard, "hi you");
  EXPECT_EQ(reply->tries, 3);
}

TEST_P(OverHttp, GarbageIsAskedAgainAndThenAFault) {
  StubServer server({Answer(200, "<html>a gateway</html>"), Answer(200, "data: {\n\n"),
                     StubAnswer{{"\x16\x03\x01 no HTTP at all\r\n\r\n"}}, StubAnswer{{""}}});
  auto model = Patient(server.url());
  EXPECT_THAT(model.Complete(request_, {}, ctx_), IsError(ErrorKind::SourceUnreachable));
  EXPECT_EQ(waits_.size(), 4U);
}

TEST_P(OverHttp, AServerThatSaysNothingIsGivenUp) {
  StubServer server({StubAnswer{{}, true}});
  EXPECT_THAT(Model(server.url(), milliseconds(200))->Complete(request_, {}, ctx_),
              IsError(ErrorKind::SourceUnreachable, HasSubstr("in time")));
}

TEST_P(OverHttp, AServerThatFallsSilentInTheMiddleIsGivenUp) {
  StubAnswer silent = Stream(speech().events, 2, false);
  silent.holds = true;
  StubServer server({silent});
  EXPECT_THAT(Model(server.url(), milliseconds(200))->Complete(request_, {}, ctx_),
              IsError(ErrorKind::SourceUnreachable));
}

TEST_P(OverHttp, ACallThatIsGivenUpEndsInTheMiddleOfAStream) {
  StubAnswer slow = Stream(speech().events, 2, false);
  slow.holds = true;
  StubServer server({slow});
  std::stop_source stop;
  ctx_.stop = stop.get_token();
  const auto reply = Model(server.url())
                         ->Complete(
                             request_, [&](std::string_view) { stop.request_stop(); }, ctx_);
  EXPECT_THAT(reply, IsError(ErrorKind::Cancelled));
}

TEST_P(OverHttp, NoErrorRepeatsKeyOrPrompt) {
  const std::vector<StubAnswer> answers = {Answer(401, "no key " + test_key), Answer(400, "no"),
                                           Answer(500, test_key), Answer(200, "x")};
  for (const StubAnswer& answer : answers) {
    StubServer server({answer});
    const auto reply = Model(server.url())->Complete(request_, {}, ctx_);
    ASSERT_FALSE(reply);
    EXPECT_THAT(reply.error().ToLogText(), Not(HasSubstr(test_key)));
    EXPECT_THAT(reply.error().ToLogText(), Not(HasSubstr("say hello")));
  }
}

TEST_P(OverHttp, WordsThatBrokeOffAreChargedByEstimate) {
  StubServer server({Stream(speech().events, 3, false)});
  MeteredLlm model(Model(server.url()), {.price = Price{3, 15, 3, 3}});
  EXPECT_THAT(model.Complete(request_, {}, ctx_), IsError(ErrorKind::SourceUnreachable));
  const Spent spent = model.spent();
  EXPECT_EQ(spent.failed_calls, 1);
  EXPECT_GT(spent.usage.input_tokens, 0);
  EXPECT_GT(spent.usage.output_tokens, 0);
  EXPECT_TRUE(spent.usage.is_estimate);
  EXPECT_GT(spent.cost, 0);
}

TEST(NamedProviders, EachIsAskedAtItsPathInItsProtocolWithItsKey) {
  SystemClock clock;
  CallContext ctx(clock);
  auto client = std::make_shared<net::LazyHttpClient>(
      std::vector<std::filesystem::path>{std::string(WARD_BINARY_DIR) + "/lib/schemaward"});
  EXPECT_EQ(ProviderNames(), "anthropic, llamacpp, lmstudio, ollama, openai, openrouter, vllm");
  for (const ProviderSpec& spec : Providers()) {
    const Speech speech = Speeches()[spec.speaks_anthropic ? 0 : 1];
    StubServer server({Stream(speech.events, speech.events.size(), true)});
    const auto key_of = [&](const std::string& variable) {
      return variable == spec.key_variable ? std::optional(test_key) : std::nullopt;
    };
    const std::string prefix = spec.speaks_anthropic ? "" : "/v1";
    const auto model = MakeModel(std::string(spec.name) + ":m-1", {server.url() + prefix}, key_of,
                                 PostBy(client, ""));
    ASSERT_THAT(model, IsOk()) << spec.name;
    const auto reply = (*model)->Complete({"s", {{Role::User, "hello"}}, 100}, {}, ctx);
    ASSERT_THAT(reply, IsOk()) << spec.name;
    EXPECT_EQ(reply->text, "hi you") << spec.name;
    const std::string asked = server.Requests().at(0);
    EXPECT_THAT(asked, HasSubstr(spec.speaks_anthropic ? "POST /v1/messages "
                                                       : "POST /v1/chat/completions "));
    EXPECT_EQ(asked.find(test_key) != std::string::npos, !spec.key_variable.empty()) << spec.name;
  }
}

}  // namespace
}  // namespace schemaward::llm
