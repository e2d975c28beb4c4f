#include "app/models.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/read_file.h"
#include "base/text_distance.h"
#include "connect/registry.h"
#include "connect/secret.h"
#include "llm/recorded.h"
#include "llm/retrying.h"
#include "llm/scripted.h"
#include "llm/transport.h"
#include "net/lazy_client.h"
#include "net/url.h"

namespace schemaward::app {
namespace {

constexpr std::uintmax_t kReplyFileBytesMax = 256U << 20U;
constexpr std::uintmax_t kPriceFileBytesMax = 4U << 20U;
constexpr double kUsdMax = 1'000'000;  // of a limit; in nanodollars it fits 64 bits

template <class Model>
Result<std::shared_ptr<llm::Llm>> AsLlm(Result<std::unique_ptr<Model>> made) {
  if (!made) return std::move(made).error();
  return std::shared_ptr<llm::Llm>(*std::move(made));
}

Error NoPrice(const std::string& provider, const std::string& name) {
  Error error(ErrorKind::InvalidArgument,
              fmt::format("a limit of money needs a price for {}/{}", provider, name));
  return std::move(error.Hint("Add it to the price file that the setting llm.prices names."));
}

/// provider:name, and what is set of it.
struct Named {
  std::string text;
  llm::ModelSettings settings;
};

Error NoSuchModel(const Config& config, std::string_view name) {
  Error error(ErrorKind::InvalidArgument, fmt::format("there is no model \"{}\"", name));
  std::vector<std::string> near;
  for (const ConfiguredModel& model : config.models()) near.push_back(model.name);
  std::stable_sort(near.begin(), near.end(), [&](const std::string& a, const std::string& b) {
    return EditDistance(name, a) < EditDistance(name, b);
  });
  error.Hint(
      "Name a model of models: in the configuration, or one as provider:name. Providers are " +
      llm::ProviderNames() + ".");
  return std::move(error.Near(std::move(near)));
}

Result<Named> FindNamed(const Config& config, std::string_view name) {
  const std::chrono::milliseconds time_max(config.GetInt("llm.timeout_ms"));
  for (const ConfiguredModel& model : config.models())
    if (model.name == name)
      return Named{model.provider + ":" + model.model,
                   {model.base_url, model.window, model.output, model.key_env, time_max}};
  if (name.find(':') == std::string_view::npos) return NoSuchModel(config, name);
  llm::ModelSettings settings;
  settings.time_max = time_max;
  return Named{std::string(name), settings};
}

Result<std::shared_ptr<llm::Llm>> FromFile(std::string_view name, const ModelLimits& limits) {
  const std::size_t colon = name.find(':');
  WARD_TRY(const std::string text,
           ReadFile(std::string(name.substr(colon + 1)), kReplyFileBytesMax));
  llm::ModelInfo info{std::string(name.substr(0, colon)), "file"};
  if (limits.window_tokens > 0) info.window_tokens = limits.window_tokens;
  if (info.provider == "scripted") return AsLlm(llm::ScriptedLlm::Parse(info, text));
  return AsLlm(llm::RecordedLlm::Parse(info, text));
}

Result<std::shared_ptr<llm::Llm>> Unmetered(const Config& config, std::string_view name,
                                            const ModelLimits& limits,
                                            const llm::Environment& environment) {
  if (name.starts_with("scripted:") || name.starts_with("recorded:")) return FromFile(name, limits);
  WARD_TRY(Named named, FindNamed(config, name));
  if (limits.window_tokens > 0) named.settings.window_tokens = limits.window_tokens;
  auto client = std::make_shared<net::LazyHttpClient>(
      connect::ModuleFolders(connect::SystemEnvironment(), connect::BinaryFolder()));
  return AsLlm(llm::MakeModel(named.text, named.settings, environment,
                              llm::PostBy(std::move(client), config.Get("llm.ca_file"))));
}

Result<std::shared_ptr<llm::Embedder>> NamedEmbedder(const Config& config, const std::string& name,
                                                     const llm::Environment& environment) {
  WARD_TRY(const Named named, FindNamed(config, name));
  std::int64_t dimensions = 0;
  for (const ConfiguredModel& model : config.models())
    if (model.name == name) dimensions = model.dimensions;
  auto client = std::make_shared<net::LazyHttpClient>(
      connect::ModuleFolders(connect::SystemEnvironment(), connect::BinaryFolder()));
  WARD_TRY(auto made, llm::MakeEmbedder(named.text, named.settings, dimensions, environment,
                                        llm::PostBy(std::move(client), config.Get("llm.ca_file"))));
  return std::shared_ptr<llm::Embedder>(std::move(made));
}

/// Within the setting embed.max_cost.
Result<std::shared_ptr<llm::Embedder>> BoundedEmbedder(const Config& config,
                                                       const std::string& name,
                                                       const llm::Environment& environment) {
  WARD_TRY(auto embedder, NamedEmbedder(config, name, environment));
  const std::string& usd = config.Get("embed.max_cost");
  if (usd.empty()) return embedder;
  ModelLimits limits;
  WARD_TRY(limits.cost_max, ParseUsd(usd));
  WARD_TRY(const llm::MeterOptions meter, MeterOf(config, *embedder, limits));
  return std::shared_ptr<llm::Embedder>(
      std::make_shared<llm::MeteredEmbedder>(std::move(embedder), meter));
}

std::string NameOr(const Config& config, std::string_view name) {
  return name.empty() ? config.Get("llm.model") : std::string(name);
}

ModelState StateOf(const Config& config, const llm::PriceList& prices, const std::string& name,
                   const llm::Environment& environment) {
  ModelState state{name, {}, false, {}};
  if (name == config.Get("embed.model")) {
    const auto embedder = BoundedEmbedder(config, name, environment);
    if (!embedder) {
      state.fault = embedder.error();
      return state;
    }
    const llm::EmbedderInfo& info = (*embedder)->info();
    state.model = llm::IdOf(info);
    state.has_price = prices.Find({info.provider, info.name}).has_value();
    return state;
  }
  const auto made = Unmetered(config, name, {}, environment);
  if (!made) {
    state.fault = made.error();
    return state;
  }
  const llm::ModelInfo& info = (*made)->info();
  state.model = info.provider + ":" + info.name;
  state.has_price = prices.Find(info).has_value();
  return state;
}

}  // namespace

Result<llm::PriceList> Prices(const Config& config) {
  const std::string& path = config.Get("llm.prices");
  if (path.empty()) return llm::PriceList();
  WARD_TRY(const std::string text, ReadFile(path, kPriceFileBytesMax));
  return llm::PriceList::Parse(text);
}

Result<MeteredModel> MakeModel(const Config& config, std::string_view name,
                               const ModelLimits& limits, const llm::Environment& environment) {
  const std::string wanted = NameOr(config, name);
  if (wanted.empty())
    return Error(ErrorKind::InvalidArgument, "no model is named")
        .Hint("Name one with --model, or set llm.model in the configuration.");
  MeteredModel model;
  WARD_TRY(std::shared_ptr<llm::Llm> plain, Unmetered(config, wanted, limits, environment));
  WARD_TRY(const llm::PriceList prices, Prices(config));
  const llm::ModelInfo& info = plain->info();
  model.price = prices.Find(info);
  if (limits.cost_max && !model.price) return NoPrice(info.provider, info.name);
  model.meter = std::make_shared<llm::MeteredLlm>(
      std::move(plain),
      llm::MeterOptions{model.price, limits.cost_max, limits.before, limits.purse});
  model.llm = std::make_shared<llm::RetryingLlm>(model.meter, limits.retry, llm::SystemPause(),
                                                 llm::SystemRandom());
  return model;
}

Result<MeteredModel> MakeModel(const Config& config, std::string_view name,
                               const ModelLimits& limits) {
  return MakeModel(config, name, limits, connect::SystemEnvironment());
}

std::vector<ModelState> CheckModels(const Config& config, const llm::Environment& environment) {
  const auto prices = Prices(config);
  std::vector<std::string> names;
  for (const ConfiguredModel& model : config.models()) names.push_back(model.name);
  for (const std::string_view key : {"llm.model", "embed.model"})
    if (const std::string& name = config.Get(key);
        !name.empty() && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  std::vector<ModelState> states;
  states.reserve(names.size());
  for (const std::string& name : names)
    states.push_back(StateOf(config, prices ? *prices : llm::PriceList(), name, environment));
  if (!prices) states.push_back({config.Get("llm.prices"), "price file", false, prices.error()});
  return states;
}

std::shared_ptr<llm::Embedder> MakeEmbedder(const Config& config,
                                            const llm::Environment& environment) {
  const std::string& name = config.Get("embed.model");
  if (name.empty()) return nullptr;
  auto made = BoundedEmbedder(config, name, environment);
  if (made) return *std::move(made);
  return std::make_shared<llm::ScriptedEmbedder>(
      llm::EmbedderInfo{"none", name},
      [error = std::move(made).error()](const std::string&) -> Result<std::vector<float>> {
        return error;
      });
}

Status CheckEmbedder(const Config& config, const llm::Environment& environment) {
  const std::string& name = config.Get("embed.model");
  if (name.empty()) return Ok();
  WARD_TRY(const auto made, BoundedEmbedder(config, name, environment));
  return Ok();
}

Result<llm::MeterOptions> MeterOf(const Config& config, const llm::Embedder& embedder,
                                  const ModelLimits& limits) {
  WARD_TRY(const llm::PriceList prices, Prices(config));
  const llm::EmbedderInfo& info = embedder.info();
  const auto price = prices.Find({info.provider, info.name});
  if (limits.cost_max && !price) return NoPrice(info.provider, info.name);
  return llm::MeterOptions{price, limits.cost_max, limits.before, limits.purse};
}

std::unique_ptr<llm::Embedder> Patient(std::shared_ptr<llm::Embedder> embedder) {
  return std::make_unique<llm::RetryingEmbedder>(std::move(embedder), llm::RetryPolicy{},
                                                 llm::SystemPause(), llm::SystemRandom());
}

Result<llm::NanoUsd> ParseUsd(std::string_view text) {
  double usd = -1;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), usd);
  if (failed != std::errc() || end != text.data() + text.size() || !(usd >= 0) || usd > kUsdMax)
    return Error(ErrorKind::InvalidArgument,
                 fmt::format("\"{}\" is no amount of US dollars", text.substr(0, 40)))
        .Hint("Write a number, as 2.50.");
  return static_cast<llm::NanoUsd>(std::llround(usd * static_cast<double>(llm::kNanoPerUsd)));
}

}  // namespace schemaward::app
