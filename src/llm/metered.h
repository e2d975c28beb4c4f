#pragma once

// A model whose tokens and money are counted, and bounded before they are spent.

#include <memory>
#include <optional>

#include "base/mutex.h"
#include "llm/model.h"
#include "llm/price.h"

namespace schemaward::llm {

/// What was used so far. `cost`: 0 where there is no price.
struct Spent {
  std::int64_t calls = 0;
  std::int64_t failed_calls = 0;
  Usage usage;
  NanoUsd cost = 0;
  bool operator==(const Spent&) const = default;
};

struct MeterOptions {
  std::optional<Price> price{};
  std::optional<NanoUsd> cost_max{};  ///< needs a price
  Spent before{};                     ///< of an earlier part of the same run
};

/// Counts what `inner` uses; a reply that broke off after its first words, which providers charge
/// for, by an estimate. Belongs inside what asks again, so that each try is counted. A call whose
/// prompt, at its estimate and a tenth, and longest reply could pass cost_max is not made:
/// MoneyCap. Thread: any; calls of several threads are each held against what all of them may still
/// spend.
class MeteredLlm final : public Llm {
 public:
  /// Requires: a price where cost_max is set.
  MeteredLlm(std::shared_ptr<Llm> inner, const MeterOptions& options);

  const ModelInfo& info() const override { return inner_->info(); }
  Result<Reply> Complete(const Request& request, const OnWords& on_text, CallContext& ctx) override;
  Spent spent() const EXCLUDES(mutex_);

 private:
  Status Reserve(NanoUsd worst) EXCLUDES(mutex_);
  void Settle(NanoUsd worst, const Result<Reply>& reply, const Usage& broken) EXCLUDES(mutex_);

  const std::shared_ptr<Llm> inner_;  // shared: one model serves several runs
  const MeterOptions options_;
  mutable Mutex mutex_;
  Spent spent_ GUARDED_BY(mutex_);
  NanoUsd reserved_ GUARDED_BY(mutex_) = 0;  ///< for calls that are on their way
};

}  // namespace schemaward::llm
