// Embedders behind HTTP: the protocol of OpenAI, and Ollama's own.

#include <cassert>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/cut.h"
#include "json/access.h"
#include "llm/embedder.h"
#include "llm/http_llm.h"
#include "llm/tokens.h"

namespace schemaward::llm {
namespace {

// What a provider's answers differ in.
struct EmbedProtocol {
  std::string_view path;
  bool is_ollama;
};

constexpr EmbedProtocol kOpenAi{"/embeddings", false};
constexpr EmbedProtocol kOllama{"/api/embed", true};
constexpr std::size_t kAnswerBytesMax = 32U << 20U;

Result<std::vector<float>> ReadVector(const json::Value& numbers) {
  std::vector<float> vector;
  if (!numbers.is_array()) return NotOfProtocol("a vector is no list of numbers");
  vector.reserve(numbers.size());
  for (const json::Value& number : numbers) {
    if (!number.is_number()) return NotOfProtocol("a vector holds what is no number");
    vector.push_back(number.get<float>());
  }
  WARD_CHECK(Normalize(vector));
  return vector;
}

class HttpEmbedder final : public Embedder {
 public:
  HttpEmbedder(EmbedderOptions options, HttpPost post, const EmbedProtocol& protocol)
      : options_(std::move(options)), post_(std::move(post)), protocol_(protocol) {}
  const EmbedderInfo& info() const override { return options_.info; }

  Result<Embedded> Embed(std::span<const std::string> texts, CallContext& ctx) override {
    WARD_CHECK(ctx.Check());
    assert(texts.size() <= kEmbedTextsMax && "a request holds a bounded number of texts");
    if (texts.empty()) return Embedded{};
    std::string body;
    const HttpAsk ask{options_.base_url + std::string(protocol_.path), Headers(), Body(texts),
                      options_.time_max};
    const auto take = [&](std::string_view piece) -> Status {
      if (body.size() + piece.size() > kAnswerBytesMax)
        return Error(ErrorKind::ByteCap, "the answer of an embedder is too long");
      body += piece;
      return Ok();
    };
    auto said = post_(ask, take, ctx);
    if (!said) return std::move(said).error();
    if (said->status < 200 || said->status > 299)
      return ErrorOfAnswer(*said, {options_.info.provider, options_.info.name}, options_.key);
    return Read(body, texts);
  }

 private:
  std::vector<std::pair<std::string, std::string>> Headers() const {
    std::vector<std::pair<std::string, std::string>> headers = {
        {"content-type", "application/json"}};
    if (!options_.key.empty()) headers.emplace_back("authorization", "Bearer " + options_.key);
    return headers;
  }

  std::string Body(std::span<const std::string> texts) const {
    json::Value input = json::Value::array();
    for (const std::string& text : texts) input.push_back(HeadOf(text, kEmbedTextBytesMax));
    json::Value body = {{"model", options_.info.name}, {"input", std::move(input)}};
    if (!protocol_.is_ollama) body["encoding_format"] = "float";
    if (options_.info.dimensions > 0) body["dimensions"] = options_.info.dimensions;
    return json::Canonical(body);
  }

  // OpenAI's vectors say whose they are and may come in any order; Ollama's come in order.
  Result<Embedded> Read(const std::string& body, std::span<const std::string> texts) const {
    const auto document = json::Parse(body);
    if (!document) return NotOfProtocol("its answer is not JSON");
    const json::Value& root = document->value();
    const json::Value& list = json::Member(root, protocol_.is_ollama ? "embeddings" : "data");
    if (!list.is_array() || list.size() != texts.size())
      return NotOfProtocol("it gave another number of vectors than there were texts");
    Embedded made;
    made.vectors.resize(texts.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto said = json::IntegerOf(json::Member(list[i], "index"));
      const auto at = protocol_.is_ollama ? i : static_cast<std::size_t>(said.value_or(0));
      if (at >= texts.size() || !made.vectors[at].empty())
        return NotOfProtocol("it gave a text two vectors");
      WARD_TRY(made.vectors[at],
               ReadVector(protocol_.is_ollama ? list[i] : json::Member(list[i], "embedding")));
      if (made.vectors[at].size() != made.vectors[AnyOf(made)].size())
        return NotOfProtocol("its vectors differ in length");
    }
    made.usage = UsageOf(root, texts);
    return made;
  }

  static std::size_t AnyOf(const Embedded& made) {
    std::size_t at = 0;
    while (made.vectors[at].empty()) ++at;
    return at;
  }

  Usage UsageOf(const json::Value& root, std::span<const std::string> texts) const {
    const auto counted = protocol_.is_ollama
                             ? json::IntegerOf(json::Member(root, "prompt_eval_count"))
                             : json::IntegerOf(json::Member(root, {"usage", "prompt_tokens"}));
    Usage usage;
    usage.is_estimate = !counted;
    usage.input_tokens = counted.value_or(0);
    if (!counted)
      for (const std::string& text : texts)
        usage.input_tokens += EstimateTokens(HeadOf(text, kEmbedTextBytesMax));
    return usage;
  }

  const EmbedderOptions options_;
  const HttpPost post_;
  const EmbedProtocol protocol_;
};

}  // namespace

std::unique_ptr<Embedder> MakeOpenAiEmbedder(EmbedderOptions options, HttpPost post) {
  return std::make_unique<HttpEmbedder>(std::move(options), std::move(post), kOpenAi);
}

std::unique_ptr<Embedder> MakeOllamaEmbedder(EmbedderOptions options, HttpPost post) {
  // Its address is that of its chat protocol; its own one is beside it.
  constexpr std::string_view kChat = "/v1";
  if (options.base_url.ends_with(kChat))
    options.base_url.resize(options.base_url.size() - kChat.size());
  return std::make_unique<HttpEmbedder>(std::move(options), std::move(post), kOllama);
}

Result<std::unique_ptr<Embedder>> MakeEmbedder(std::string_view model,
                                               const ModelSettings& settings,
                                               std::int64_t dimensions,
                                               const Environment& environment, HttpPost post) {
  const std::size_t colon = model.find(':');
  const ProviderSpec* spec = FindProvider(model.substr(0, colon));
  if (spec == nullptr || colon == std::string_view::npos || colon + 1 == model.size())
    return Error(ErrorKind::InvalidArgument, "an embedder is named as provider:name")
        .Hint("Providers are " + ProviderNames() + ".");
  if (spec->speaks_anthropic)
    return Error(ErrorKind::InvalidArgument,
                 fmt::format("provider \"{}\" has no embeddings", spec->name));
  EmbedderOptions options;
  options.info = {std::string(spec->name), std::string(model.substr(colon + 1)), dimensions};
  options.base_url = settings.base_url.empty() ? std::string(spec->base_url) : settings.base_url;
  while (options.base_url.ends_with('/')) options.base_url.pop_back();
  if (settings.time_max.count() > 0) options.time_max = settings.time_max;
  WARD_TRY(options.key, KeyOf(*spec, settings, environment));
  return spec->name == "ollama" ? MakeOllamaEmbedder(std::move(options), std::move(post))
                                : MakeOpenAiEmbedder(std::move(options), std::move(post));
}

}  // namespace schemaward::llm
