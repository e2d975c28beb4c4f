#pragma once

// Tokens and money of the calls to one model, counted, and bounded before they are spent.

#include <cstdint>
#include <memory>
#include <optional>

#include "base/mutex.h"
#include "base/result.h"
#include "llm/model.h"
#include "llm/price.h"

namespace schemaward::llm {

/// What was used so far. `cost`: 0 where there is no price.
struct Spent {
  std::int64_t calls = 0;
  std::int64_t failed_calls = 0;
  Usage usage;
  NanoUsd cost = 0;
  Spent& operator+=(const Spent& other);
  bool operator==(const Spent&) const = default;
};

/// Money that the calls of several meters may cost together. Thread: any.
class Purse {
 public:
  /// `spent`: before now.
  explicit Purse(std::optional<NanoUsd> cost_max, NanoUsd spent = 0)
      : cost_max_(cost_max), spent_(spent) {}

  bool is_limited() const { return cost_max_.has_value(); }
  /// Sets `cost` aside. Errors: MoneyCap when what is spent and set aside could pass the limit.
  Status Reserve(NanoUsd cost) EXCLUDES(mutex_);
  /// Puts what was set aside back, and takes out what was used of it.
  void Settle(NanoUsd reserved, NanoUsd used) EXCLUDES(mutex_);

 private:
  const std::optional<NanoUsd> cost_max_;
  mutable Mutex mutex_;
  NanoUsd spent_ GUARDED_BY(mutex_);
  NanoUsd reserved_ GUARDED_BY(mutex_) = 0;  ///< for calls that are on their way
};

struct MeterOptions {
  std::optional<Price> price{};
  std::optional<NanoUsd> cost_max{};  ///< needs a price
  Spent before{};                     ///< of an earlier part of the same run
  /// Pays in place of cost_max, and knows what was spent before; a limit of its own needs a price
  /// too. Shared: by the meters of one run.
  std::shared_ptr<Purse> purse{};
};

/// Thread: any; calls of several threads are each held against what all of them may still spend.
class Meter {
 public:
  /// Requires: a price where money is limited.
  explicit Meter(const MeterOptions& options);

  /// Sets aside what a call could cost at most, `worst` being its tokens at their estimate, and
  /// returns it, for Settle; to the tokens that are sent a tenth is added, for the estimate may be
  /// short, and they are taken at their dearest. Errors: MoneyCap when that could pass the limit.
  Result<NanoUsd> Reserve(const Usage& worst) EXCLUDES(mutex_);
  /// Counts a call for which `reserved` was set aside by what it used.
  void Settle(NanoUsd reserved, const Usage& used, bool failed) EXCLUDES(mutex_);
  Spent spent() const EXCLUDES(mutex_);

 private:
  const std::optional<Price> price_;
  const std::shared_ptr<Purse> purse_;  // shared: as MeterOptions has it
  mutable Mutex mutex_;
  Spent spent_ GUARDED_BY(mutex_);
};

}  // namespace schemaward::llm
