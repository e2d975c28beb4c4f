#include "llm/provider.h"

#include <fmt/format.h>

namespace schemaward::llm {
namespace {

constexpr std::string_view kAnyKey = "SCHEMAWARD_MODEL_KEY";

}  // namespace

const std::vector<ProviderSpec>& Providers() {
  static const std::vector<ProviderSpec> providers = {
      {"anthropic", "https://api.anthropic.com", "ANTHROPIC_API_KEY", true},
      {"llamacpp", "http://localhost:8080/v1", "", false},
      {"lmstudio", "http://localhost:1234/v1", "", false},
      {"ollama", "http://localhost:11434/v1", "", false},
      {"openai", "https://api.openai.com/v1", "OPENAI_API_KEY", false},
      {"openrouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", false},
      {"vllm", "http://localhost:8000/v1", "", false},
  };
  return providers;
}

std::string ProviderNames() {
  std::string names;
  for (const ProviderSpec& spec : Providers())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", spec.name);
  return names;
}

const ProviderSpec* FindProvider(std::string_view name) {
  for (const ProviderSpec& spec : Providers())
    if (spec.name == name) return &spec;
  return nullptr;
}

Result<std::string> KeyOf(const ProviderSpec& spec, const ModelSettings& settings,
                          const Environment& environment) {
  if (!settings.key_variable.empty()) {
    const auto key = environment(settings.key_variable);
    if (key && !key->empty()) return *key;
    return Error(
        ErrorKind::MissingCredential,
        fmt::format("variable {}, which the model's key is in, is not set", settings.key_variable));
  }
  for (const std::string_view name : {kAnyKey, spec.key_variable}) {
    if (name.empty()) continue;
    const auto key = environment(std::string(name));
    if (key && !key->empty()) return *key;
  }
  if (spec.key_variable.empty()) return std::string();
  return Error(ErrorKind::MissingCredential, fmt::format("provider \"{}\" needs a key", spec.name))
      .Hint(fmt::format("Set {} or {} in the environment.", spec.key_variable, kAnyKey));
}

Result<std::unique_ptr<Llm>> MakeModel(std::string_view model, const ModelSettings& settings,
                                       const Environment& environment, HttpPost post) {
  const std::size_t colon = model.find(':');
  const ProviderSpec* spec = FindProvider(model.substr(0, colon));
  if (spec == nullptr || colon == std::string_view::npos || colon + 1 == model.size())
    return Error(ErrorKind::InvalidArgument, "a model is named as provider:name")
        .Hint("Providers are " + ProviderNames() + ".");
  ProviderOptions options;
  options.model.provider = spec->name;
  options.model.name = model.substr(colon + 1);
  if (settings.window_tokens > 0) options.model.window_tokens = settings.window_tokens;
  if (settings.output_tokens_max > 0) options.model.output_tokens_max = settings.output_tokens_max;
  options.base_url = settings.base_url.empty() ? std::string(spec->base_url) : settings.base_url;
  if (settings.time_max.count() > 0) options.time_max = settings.time_max;
  while (options.base_url.ends_with('/')) options.base_url.pop_back();
  WARD_TRY(options.key, KeyOf(*spec, settings, environment));
  return spec->speaks_anthropic ? MakeAnthropic(std::move(options), std::move(post))
                                : MakeOpenAiChat(std::move(options), std::move(post));
}

}  // namespace schemaward::llm
