#pragma once

// The models that the configuration names, ready to be asked.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/config.h"
#include "llm/embedder.h"
#include "llm/metered.h"
#include "llm/model.h"
#include "llm/price.h"
#include "llm/provider.h"
#include "llm/retry.h"

namespace schemaward::app {

struct ModelLimits {
  std::optional<llm::NanoUsd> cost_max{};  ///< needs a price
  std::int64_t window_tokens = 0;          ///< 0: as configured
  llm::Spent before{};                     ///< of an earlier part of the same run
  llm::RetryPolicy retry{};
  std::shared_ptr<llm::Purse> purse{};  ///< as llm::MeterOptions has it
};

/// A model, and the meter inside it that counts each request.
struct MeteredModel {
  std::shared_ptr<llm::Llm> llm;
  std::shared_ptr<llm::MeteredLlm> meter;  // shared: `llm` asks through it
  std::optional<llm::Price> price;
  std::shared_ptr<llm::MeteredEmbedder>
      embedder{};  // of a run [ModelOf]; shared: with its searches
};

/// Returns the model that is named so in the configuration's `models`, or as provider:name, or as
/// scripted:FILE or recorded:FILE; with no name, the one of the setting llm.model. It asks again
/// where that may help, counts tokens and money, and stays below limits.cost_max. Errors:
/// InvalidArgument for a name that means no model, or a limit of money without a price;
/// MissingCredential; InputUnreadable for a file. Thread: the model's calls: one at a time.
Result<MeteredModel> MakeModel(const Config& config, std::string_view name,
                               const ModelLimits& limits, const llm::Environment& environment);

/// The same, with the process's own environment.
Result<MeteredModel> MakeModel(const Config& config, std::string_view name,
                               const ModelLimits& limits = {});

/// Returns the embedder that the setting embed.model names, null where it names none. It asks once
/// and spends at most embed.max_cost; what is wrong with its name, its key or its price is the
/// error of each of its calls. Thread: any.
std::shared_ptr<llm::Embedder> MakeEmbedder(const Config& config,
                                            const llm::Environment& environment);

/// Returns what is wrong with the embedder that the setting embed.model names, without asking it;
/// Ok where it names none. Errors: as MakeModel.
Status CheckEmbedder(const Config& config, const llm::Environment& environment);

/// Returns how `embedder` is to be metered below limits.cost_max, after limits.before. Errors:
/// InvalidArgument for a limit of money without a price; InputUnreadable for the price file.
Result<llm::MeterOptions> MeterOf(const Config& config, const llm::Embedder& embedder,
                                  const ModelLimits& limits);

/// Returns `embedder`, asked again where that may help: for the index, which can wait.
std::unique_ptr<llm::Embedder> Patient(std::shared_ptr<llm::Embedder> embedder);

/// Reads the setting llm.prices; empty where there is none. Errors: InputUnreadable.
Result<llm::PriceList> Prices(const Config& config);

/// What was found about a configured model without asking it.
struct ModelState {
  std::string name;   ///< as in the configuration
  std::string model;  ///< provider:name
  bool has_price = false;
  std::optional<Error> fault;
};

/// Looks at each of `models`, and at llm.model and embed.model where they name others. Sends
/// nothing.
std::vector<ModelState> CheckModels(const Config& config, const llm::Environment& environment);

/// Reads "0.50" as money. Errors: InvalidArgument.
Result<llm::NanoUsd> ParseUsd(std::string_view text);

}  // namespace schemaward::app
