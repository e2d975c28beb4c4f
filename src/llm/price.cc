#include "llm/price.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "json/access.h"
#include "json/value.h"

namespace schemaward::llm {
namespace {

constexpr double kNanoPerToken = 1'000;  // a dollar for a million tokens is 1,000 nanodollars each

NanoUsd Part(double price, std::int64_t tokens) {
  return static_cast<NanoUsd>(std::ceil(price * kNanoPerToken * static_cast<double>(tokens)));
}

Error Unreadable(const std::string& what) {
  return Error(ErrorKind::InputUnreadable, "the price file " + what);
}

/// Returns the price named so, `fallback` where it is absent. Errors: InputUnreadable.
Result<double> Read(const json::Value& model, std::string_view name,
                    std::optional<double> fallback) {
  const json::Value& value = json::Member(model, name);
  if (value.is_null() && fallback) return *fallback;
  const double usd = value.is_number() ? value.get<double>() : -1;
  if (usd >= 0 && usd <= PriceList::kUsdMax) return usd;
  return Unreadable(fmt::format("has a model without a number for \"{}\"", name));
}

Result<Price> ReadPrice(const json::Value& model) {
  Price price;
  WARD_TRY(price.input, Read(model, "input", {}));
  WARD_TRY(price.output, Read(model, "output", {}));
  WARD_TRY(price.cache_read, Read(model, "cache_read", price.input));
  WARD_TRY(price.cache_write, Read(model, "cache_write", price.input));
  return price;
}

}  // namespace

NanoUsd CostOf(const Price& price, const Usage& usage) {
  const std::int64_t plain =
      usage.input_tokens - usage.cache_read_tokens - usage.cache_write_tokens;
  return Part(price.input, plain) + Part(price.cache_read, usage.cache_read_tokens) +
         Part(price.cache_write, usage.cache_write_tokens) +
         Part(price.output, usage.output_tokens);
}

std::string ShowUsd(NanoUsd cost) {
  constexpr NanoUsd kNanoPerMicro = 1'000;
  const NanoUsd micro = (cost + kNanoPerMicro - 1) / kNanoPerMicro;
  return fmt::format("{}.{:06}", micro / 1'000'000, micro % 1'000'000);
}

Result<PriceList> PriceList::Parse(std::string_view text) {
  auto document = json::Parse(text);
  if (!document) return Unreadable("is not JSON");
  const json::Value& root = document->value();
  if (json::TextOf(root, "format") != "schemaward-prices" ||
      json::IntegerOf(json::Member(root, "version")) != 1)
    return Unreadable("must say \"format\": \"schemaward-prices\" and \"version\": 1");
  const json::Value& models = json::Member(root, "models");
  if (!models.is_object() || models.size() > kModelsMax)
    return Unreadable(fmt::format("must hold at most {} \"models\"", kModelsMax));
  PriceList list;
  for (const auto& [name, model] : models.items()) {
    WARD_TRY(const Price price, ReadPrice(model));
    list.prices_.emplace(name, price);
  }
  return list;
}

std::optional<Price> PriceList::Find(const ModelInfo& model) const {
  for (const std::string& name : {model.provider + "/" + model.name, model.provider + "/*"})
    if (const auto found = prices_.find(name); found != prices_.end()) return found->second;
  return std::nullopt;
}

}  // namespace schemaward::llm
