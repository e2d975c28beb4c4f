#pragma once

// What tokens cost, and a bound on it.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "llm/model.h"

namespace schemaward::llm {

/// US dollars for a million tokens of each kind.
struct Price {
  double input = 0;
  double output = 0;
  double cache_read = 0;
  double cache_write = 0;
  bool operator==(const Price&) const = default;
};

/// Billionths of a US dollar.
using NanoUsd = std::int64_t;
inline constexpr NanoUsd kNanoPerUsd = 1'000'000'000;

/// Returns the cost, rounded up to the next billionth for each kind of token.
NanoUsd CostOf(const Price& price, const Usage& usage);

/// Returns `cost` as dollars with six decimals, "0.012345".
std::string ShowUsd(NanoUsd cost);

/// Prices by provider and model.
class PriceList {
 public:
  /// Reads {"format": "schemaward-prices", "version": 1, "models": {"provider/name": {"input": 3,
  /// "output": 15, "cache_read": 0.3, "cache_write": 3.75}}}; a cache's prices are those of input
  /// where they are not given. Errors: InputUnreadable when it is anything else, or a price is not
  /// a number from 0 to kUsdMax.
  static Result<PriceList> Parse(std::string_view json);

  /// The price of "provider/name", else of "provider/*"; nothing where there is neither.
  std::optional<Price> Find(const ModelInfo& model) const;

  static constexpr double kUsdMax = 10'000;
  static constexpr std::size_t kModelsMax = 1'000;

 private:
  std::map<std::string, Price, std::less<>> prices_;
};

}  // namespace schemaward::llm
