// The factory of models: what the configuration names, over real HTTP to a stub.
#include "app/models.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/result_matchers.h"
#include "llm/stub_server.h"

namespace schemaward::app {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ModelsTest : public ::testing::Test {
 protected:
  ModelsTest()
      : folder_(fs::temp_directory_path() /
                ("ward_models_" +
                 std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~ModelsTest() override { fs::remove_all(folder_); }

  std::string Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  Config Load(const std::string& yaml) {
    const auto none = [](const std::string&) { return std::optional<std::string>(); };
    return *Config::Load({{"config", Write("schemaward.yaml", yaml)}}, none, folder_.string());
  }
  Result<MeteredModel> Make(const Config& config, std::string_view name,
                            const ModelLimits& limits = {}) {
    return MakeModel(config, name, limits, [](const std::string& variable) {
      return variable == "GATE_KEY" ? std::optional<std::string>("k-123456") : std::nullopt;
    });
  }
  std::string Stream() const {
    return "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}\n\n"
           "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":1000,\"completion_tokens\":100}}\n\n"
           "data: [DONE]\n\n";
  }
  std::string Entry(const llm::StubServer& server) const {
    return "models:\n  - {name: fast, provider: openai, model: m-1, key_env: GATE_KEY, base_url: "
           "'" +
           server.url() + "'}\n";
  }
  static llm::Request Ask() { return {"s", {{llm::Role::User, "u"}}, 100}; }

  const std::string prices_ =
      R"({"format":"schemaward-prices","version":1,"models":{"openai/m-1":{"input":3,"output":15}}})";
  fs::path folder_;
  SystemClock clock_;
  CallContext ctx_{clock_};
};

TEST_F(ModelsTest, ANamedModelIsAskedAndPaid) {
  llm::StubServer server({llm::Answer(200, Stream())});
  const Config config =
      Load(Entry(server) + "llm: {model: fast, prices: '" + Write("p.json", prices_) + "'}\n");
  const auto model = Make(config, "");
  ASSERT_THAT(model, IsOk());
  const auto reply = model->llm->Complete(Ask(), {}, ctx_);
  ASSERT_THAT(reply, IsOk());
  EXPECT_EQ(reply->text, "hi");
  EXPECT_EQ(model->meter->spent().cost, 1'000 * 3'000 + 100 * 15'000);
  EXPECT_THAT(server.Requests(), ElementsAre(HasSubstr("Bearer k-123456")));
}

TEST_F(ModelsTest, EachTryIsCountedAndTheLimitOfMoneyHolds) {
  llm::StubServer server({llm::Answer(503, ""), llm::Answer(200, Stream())});
  const Config config = Load(Entry(server) + "llm: {prices: '" + Write("p.json", prices_) + "'}\n");
  ModelLimits limits;
  limits.cost_max = *ParseUsd("0.005");
  limits.retry.first = std::chrono::milliseconds(1);
  const auto model = Make(config, "fast", limits);
  ASSERT_THAT(model, IsOk());
  EXPECT_THAT(model->llm->Complete(Ask(), {}, ctx_), IsOk());
  EXPECT_EQ(model->meter->spent().calls, 2);
  EXPECT_EQ(model->meter->spent().failed_calls, 1);
  EXPECT_THAT(model->llm->Complete(Ask(), {}, ctx_), IsError(ErrorKind::MoneyCap));
  EXPECT_EQ(server.Requests().size(), 2U);
}

TEST_F(ModelsTest, ALimitOfMoneyNeedsAPrice) {
  llm::StubServer server({llm::Answer(500, "")});
  ModelLimits limits;
  limits.cost_max = 1;
  EXPECT_THAT(Make(Load(Entry(server)), "fast", limits),
              IsError(ErrorKind::InvalidArgument, HasSubstr("openai/m-1")));
}

TEST_F(ModelsTest, ANameThatMeansNoModelNamesTheNearest) {
  llm::StubServer server({llm::Answer(500, "")});
  const auto model = Make(Load(Entry(server)), "fats");
  EXPECT_THAT(model, IsError(ErrorKind::InvalidArgument, HasSubstr("fats")));
  EXPECT_THAT(model.error().recovery().fuzzy_matches, ElementsAre("fast"));
  EXPECT_THAT(Make(Load(""), ""), IsError(ErrorKind::InvalidArgument, HasSubstr("no model")));
  EXPECT_THAT(Make(Load(""), "anthropic:x"), IsError(ErrorKind::MissingCredential));
}

TEST_F(ModelsTest, FilesOfRepliesAreModels) {
  const auto model = Make(Load(""), "scripted:" + Write("r.json", R"(["one"])"));
  ASSERT_THAT(model, IsOk());
  EXPECT_EQ(model->llm->Complete(Ask(), {}, ctx_)->text, "one");
  EXPECT_THAT(Make(Load(""), "scripted:/nonexistent"), IsError(ErrorKind::InputUnreadable));
}

TEST_F(ModelsTest, ACheckFindsKeysAndPricesWithoutAsking) {
  const Config config = Load(
      "models:\n  - {name: a, provider: openai, model: m-1, key_env: GATE_KEY}\n"
      "  - {name: b, provider: anthropic, model: x, key_env: NO_KEY}\n"
      "llm: {model: 'ollama:q', prices: '" +
      Write("p.json", prices_) + "'}\n");
  const auto states = CheckModels(config, [](const std::string& variable) {
    return variable == "GATE_KEY" ? std::optional<std::string>("k") : std::nullopt;
  });
  ASSERT_EQ(states.size(), 3U);
  EXPECT_FALSE(states[0].fault);
  EXPECT_TRUE(states[0].has_price);
  ASSERT_TRUE(states[1].fault);
  EXPECT_THAT(states[1].fault->message(), HasSubstr("NO_KEY"));
  EXPECT_EQ(states[2].model, "ollama:q");
  EXPECT_FALSE(states[2].has_price);
}

TEST_F(ModelsTest, AnEmbedderStaysWithinTheMoneyOfItsProcess) {
  const llm::StubAnswer vector = llm::Answer(
      200, R"({"data":[{"index":0,"embedding":[1,0]}],"usage":{"prompt_tokens":1000}})");
  llm::StubServer server({vector, vector});
  const std::string with_price = "llm: {prices: '" + Write("p.json", prices_) + "'}\n";
  const auto embedder_of = [&](const std::string& yaml) {
    return MakeEmbedder(Load(Entry(server) + "embed: {model: fast, max_cost: 0.003}\n" + yaml),
                        [](const std::string&) { return std::optional<std::string>("k"); });
  };
  const std::vector<std::string> texts = {"orders"};
  const auto embedder = embedder_of(with_price);
  EXPECT_THAT(embedder->Embed(texts, ctx_), IsOk());  // 1,000 tokens at 3 dollars a million
  EXPECT_THAT(embedder->Embed(texts, ctx_), IsError(ErrorKind::MoneyCap));
  EXPECT_EQ(server.Requests().size(), 1U);
  EXPECT_THAT(embedder_of("")->Embed(texts, ctx_),
              IsError(ErrorKind::InvalidArgument, HasSubstr("openai/m-1")));
}

TEST_F(ModelsTest, ACheckOfTheEmbedderFindsItsKeyMissingWithoutAsking) {
  const llm::Environment none = [](const std::string&) { return std::optional<std::string>(); };
  EXPECT_THAT(CheckEmbedder(Load(""), none), IsOk());
  const std::string entry =
      "models:\n  - {name: b, provider: openai, model: x, key_env: NO_KEY}\nembed: {model: b}\n";
  EXPECT_THAT(CheckEmbedder(Load(entry), none),
              IsError(ErrorKind::MissingCredential, HasSubstr("NO_KEY")));
  const auto key = [](const std::string&) { return std::optional<std::string>("k"); };
  EXPECT_THAT(CheckEmbedder(Load(entry), key), IsOk());
}

TEST(Usd, IsReadOrRefused) {
  EXPECT_EQ(*ParseUsd("0.5"), llm::kNanoPerUsd / 2);
  EXPECT_EQ(*ParseUsd("0"), 0);
  for (const char* text : {"", "-1", "nan", "inf", "1e9", "2x", "$1"})
    EXPECT_THAT(ParseUsd(text), IsError(ErrorKind::InvalidArgument)) << text;
}

}  // namespace
}  // namespace schemaward::app
