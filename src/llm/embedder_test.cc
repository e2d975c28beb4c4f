// Embedders over real HTTP, well and badly.
#include "llm/embedder.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/result_matchers.h"
#include "llm/stub_server.h"
#include "llm/transport.h"
#include "net/lazy_client.h"

namespace schemaward::llm {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string test_key = "sk-test-0123456789abcdef";

class Embedders : public ::testing::Test {
 protected:
  HttpPost Post() const {
    return PostBy(std::make_shared<net::LazyHttpClient>(std::vector<std::filesystem::path>{
                      std::string(WARD_BINARY_DIR) + "/lib/schemaward"}),
                  "");
  }
  Result<std::unique_ptr<Embedder>> Make(const std::string& name, const std::string& url,
                                         std::int64_t dimensions = 0) const {
    return MakeEmbedder(
        name, {.base_url = url, .key_variable = name.starts_with("openai") ? "K" : ""}, dimensions,
        [](const std::string& variable) {
          return variable == "K" ? std::optional<std::string>(test_key) : std::nullopt;
        },
        Post());
  }

  SystemClock clock_;
  CallContext ctx_{clock_};
  const std::vector<std::string> texts_ = {"a", "b"};
};

TEST_F(Embedders, OpenAiGivesVectorsOfLengthOneInTheOrderOfTheTexts) {
  StubServer server(
      {Answer(200, R"({"data":[{"index":1,"embedding":[0,2]},)"
                   R"({"index":0,"embedding":[3,4]}],"usage":{"prompt_tokens":7}})")});
  const auto embedder = Make("openai:e-1", server.url() + "/v1/", 2);
  ASSERT_THAT(embedder, IsOk());
  EXPECT_EQ(IdOf((*embedder)->info()), "openai:e-1@2");
  const auto made = (*embedder)->Embed(texts_, ctx_);
  ASSERT_THAT(made, IsOk());
  EXPECT_THAT(made->vectors[0], ElementsAre(FloatEq(0.6F), FloatEq(0.8F)));
  EXPECT_THAT(made->vectors[1], ElementsAre(0, 1));
  EXPECT_EQ(made->usage.input_tokens, 7);
  const std::string asked = server.Requests().at(0);
  EXPECT_THAT(asked, HasSubstr("POST /v1/embeddings HTTP/1.1"));
  EXPECT_THAT(asked, HasSubstr("Bearer " + test_key));
  EXPECT_THAT(asked, HasSubstr(R"("input":["a","b"])"));
  EXPECT_THAT(asked, HasSubstr(R"("dimensions":2)"));
}

TEST_F(Embedders, OllamaIsAskedInItsOwnProtocol) {
  StubServer server({Answer(200, R"({"embeddings":[[1,0],[0,1]],"prompt_eval_count":3})")});
  const auto embedder = Make("ollama:nomic", server.url() + "/v1");
  const auto made = (*embedder)->Embed(texts_, ctx_);
  ASSERT_THAT(made, IsOk());
  EXPECT_THAT(made->vectors[1], ElementsAre(0, 1));
  EXPECT_EQ(made->usage.input_tokens, 3);
  EXPECT_THAT(server.Requests().at(0), HasSubstr("POST /api/embed HTTP/1.1"));
}

TEST_F(Embedders, WhatIsNotOfTheProtocolIsAFaultThatMayPass) {
  for (const char* body :
       {"", "<html>", "{}", R"({"data":[{"index":0,"embedding":[1]}]})",
        R"({"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]})",
        R"({"data":[{"index":0,"embedding":[1]},{"index":9,"embedding":[1]}]})",
        R"({"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]})",
        R"({"data":[{"index":0,"embedding":["x"]},{"index":1,"embedding":[1]}]})",
        R"({"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[]}]})",
        R"({"data":[{"index":0,"embedding":[0,0]},{"index":1,"embedding":[0,1]}]})"}) {
    StubServer server({Answer(200, body)});
    EXPECT_THAT((*Make("openai:e", server.url()))->Embed(texts_, ctx_),
                IsError(ErrorKind::SourceUnreachable))
        << body;
  }
}

TEST_F(Embedders, NoErrorRepeatsTheKey) {
  StubServer server({Answer(401, "no key " + test_key)});
  const auto made = (*Make("openai:e", server.url()))->Embed(texts_, ctx_);
  EXPECT_THAT(made, IsError(ErrorKind::SourceAuthFailed));
  EXPECT_THAT(made.error().ToLogText(), Not(HasSubstr(test_key)));
}

TEST_F(Embedders, IsAskedAgainWhereThatMayHelp) {
  StubServer server({Answer(429, "", "Retry-After: 3\r\n"), Answer(503, ""),
                     Answer(200, R"({"embeddings":[[1,0],[0,1]]})")});
  std::vector<std::int64_t> waits;
  RetryingEmbedder embedder(
      *Make("ollama:e", server.url()), RetryPolicy{},
      [&](std::chrono::milliseconds span, CallContext& ctx) {
        waits.push_back(span.count());
        return ctx.Check();
      },
      [] { return 0.5; });
  const auto made = embedder.Embed(texts_, ctx_);
  ASSERT_THAT(made, IsOk());
  EXPECT_TRUE(made->usage.is_estimate);
  EXPECT_THAT(waits, ElementsAre(3'000, 2'000));
}

TEST_F(Embedders, WhatMayPassIsAskedAgainWhateverItIs) {
  const StubAnswer whole = Answer(200, R"({"embeddings":[[1,0],[0,1]]})");
  StubAnswer half = whole;
  half.pieces = {whole.pieces.at(0).substr(0, whole.pieces.at(0).size() - 5)};
  const std::vector<std::pair<const char*, StubAnswer>> faults = {
      {"408", Answer(408, "")},           {"409", Answer(409, "")},
      {"425", Answer(425, "")},           {"499", Answer(499, "")},
      {"502", Answer(502, "<html>")},     {"half an answer", half},
      {"garbage", Answer(200, "<html>")}, {"no HTTP", StubAnswer{{"\x16\x03\x01\r\n\r\n"}}},
      {"nothing", StubAnswer{{""}}}};
  for (const auto& [name, fault] : faults) {
    StubServer server({fault, whole});
    RetryingEmbedder embedder(
        *Make("ollama:e", server.url()), RetryPolicy{},
        [](std::chrono::milliseconds, CallContext& ctx) { return ctx.Check(); },
        [] { return 0.5; });
    EXPECT_THAT(embedder.Embed(texts_, ctx_), IsOk()) << name;
    EXPECT_EQ(server.Requests().size(), 2U) << name;
  }
}

TEST_F(Embedders, AServerThatSaysNothingIsGivenUp) {
  StubServer server({StubAnswer{{}, true}});
  const auto embedder = MakeEmbedder(
      "ollama:e", {.base_url = server.url(), .time_max = std::chrono::milliseconds(200)}, 0,
      [](const std::string&) { return std::optional<std::string>(); }, Post());
  EXPECT_THAT((*embedder)->Embed(texts_, ctx_), IsError(ErrorKind::SourceUnreachable));
}

TEST_F(Embedders, AProviderWithoutEmbeddingsIsRefused) {
  EXPECT_THAT(Make("anthropic:x", ""),
              IsError(ErrorKind::InvalidArgument, HasSubstr("no embeddings")));
  EXPECT_THAT(Make("ollama", ""), IsError(ErrorKind::InvalidArgument));
}

}  // namespace
}  // namespace schemaward::llm
