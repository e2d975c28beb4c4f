#pragma once

// Models behind HTTP: which there are, where they are, and what they need.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "llm/model.h"

namespace schemaward::llm {

/// A POST to a provider. Headers hold the key: they reach no log and no error.
struct HttpAsk {
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  std::chrono::milliseconds time_max{300'000};
};

struct HttpSaid {
  int status = 0;
  std::string body;  ///< of an answer that is not 2xx; the pieces of the others went to on_piece
  std::optional<std::int64_t> retry_after_ms{};
};

/// Takes the body of a 2xx answer piece by piece; an error ends the transfer and is its error.
using OnPiece = std::function<Status(std::string_view piece)>;
/// Sends one POST and waits for its end. Errors: SourceUnreachable when there is no answer or it
/// breaks off; ByteCap; Cancelled; DeadlineExceeded; those of on_piece. Thread: any.
using HttpPost =
    std::function<Result<HttpSaid>(const HttpAsk& ask, const OnPiece& on_piece, CallContext& ctx)>;

struct ProviderOptions {
  ModelInfo model;
  std::string base_url;                         ///< without a slash at its end
  std::string key;                              ///< empty for servers that ask for none
  std::chrono::milliseconds time_max{300'000};  ///< of one request
};

/// The Messages protocol of Anthropic, streamed. The system prompt and the last message that is
/// marked as cached carry a cache marker.
std::unique_ptr<Llm> MakeAnthropic(ProviderOptions options, HttpPost post);

/// The chat protocol that OpenAI began and vLLM, Ollama, LM Studio, llama.cpp and OpenRouter speak,
/// streamed. Tokens are estimated where the server does not count them.
std::unique_ptr<Llm> MakeOpenAiChat(ProviderOptions options, HttpPost post);

/// Gives an environment variable's value.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// A provider that is known by name.
struct ProviderSpec {
  std::string_view name;
  std::string_view base_url;
  std::string_view key_variable;  ///< empty: it asks for no key
  bool speaks_anthropic;
};

/// All of them, sorted by name. Lifetime: static.
const std::vector<ProviderSpec>& Providers();

/// What is known of a model beside its name; 0: the provider's usual.
struct ModelSettings {
  std::string base_url;  ///< empty: the provider's own
  std::int64_t window_tokens = 0;
  std::int64_t output_tokens_max = 0;
  std::string key_variable{};             ///< empty: SCHEMAWARD_MODEL_KEY, else the provider's own
  std::chrono::milliseconds time_max{0};  ///< of one request
};

/// Returns the key in the variable that `settings` names, and in no other; else in
/// SCHEMAWARD_MODEL_KEY, else in the provider's own. Empty where the provider asks for none and
/// none is set. Errors: MissingCredential, naming the variables.
Result<std::string> KeyOf(const ProviderSpec& spec, const ModelSettings& settings,
                          const Environment& environment);

/// Returns the provider of that name, or null. Lifetime: static.
const ProviderSpec* FindProvider(std::string_view name);

/// Returns the names of all providers, with commas.
std::string ProviderNames();

/// Returns the model that "provider:name" names. Errors: InvalidArgument for a provider that is not
/// known (the known ones are named) or no name; MissingCredential, naming the variables.
Result<std::unique_ptr<Llm>> MakeModel(std::string_view model, const ModelSettings& settings,
                                       const Environment& environment, HttpPost post);

}  // namespace schemaward::llm
