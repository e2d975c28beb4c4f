#pragma once

// An embedder whose tokens and money are counted, and bounded before they are spent.

#include <memory>
#include <span>
#include <string>

#include "base/mutex.h"
#include "llm/embedder.h"
#include "llm/metered.h"

namespace schemaward::llm {

/// Counts what `inner` uses; a request that failed costs nothing. Belongs inside what asks again,
/// as MeteredLlm does. A request whose texts, at their estimate and a tenth, could pass cost_max is
/// not made: MoneyCap. Thread: any; requests of several threads are each held against what all of
/// them may still spend.
class MeteredEmbedder final : public Embedder {
 public:
  /// Requires: a price where cost_max is set.
  MeteredEmbedder(std::shared_ptr<Embedder> inner, const MeterOptions& options);

  const EmbedderInfo& info() const override { return inner_->info(); }
  Result<Embedded> Embed(std::span<const std::string> texts, CallContext& ctx) override;
  Spent spent() const EXCLUDES(mutex_);

 private:
  Status Reserve(NanoUsd worst) EXCLUDES(mutex_);
  void Settle(NanoUsd worst, const Result<Embedded>& made) EXCLUDES(mutex_);

  const std::shared_ptr<Embedder> inner_;  // shared: one embedder serves search and index
  const MeterOptions options_;
  mutable Mutex mutex_;
  Spent spent_ GUARDED_BY(mutex_);
  NanoUsd reserved_ GUARDED_BY(mutex_) = 0;  ///< for requests that are on their way
};

}  // namespace schemaward::llm
