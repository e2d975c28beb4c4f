#pragma once

// A model and an embedder whose tokens and money are counted, and bounded before they are spent.
// Both belong inside what asks again, so that each try is counted.

#include <memory>
#include <span>
#include <string>

#include "llm/embedder.h"
#include "llm/meter.h"
#include "llm/model.h"

namespace schemaward::llm {

/// Counts what `inner` uses; a reply that broke off after its first words, which providers charge
/// for, by an estimate. A call whose prompt and longest reply could pass cost_max is not made:
/// MoneyCap. Thread: any. [Meter]
class MeteredLlm final : public Llm {
 public:
  MeteredLlm(std::shared_ptr<Llm> inner, const MeterOptions& options);

  const ModelInfo& info() const override { return inner_->info(); }
  Result<Reply> Complete(const Request& request, const OnWords& on_text, CallContext& ctx) override;
  Spent spent() const { return meter_.spent(); }

 private:
  const std::shared_ptr<Llm> inner_;  // shared: one model serves several runs
  Meter meter_;
};

/// Counts what `inner` uses; a request that failed costs nothing. A request whose texts could pass
/// cost_max is not made: MoneyCap. Thread: any. [Meter]
class MeteredEmbedder final : public Embedder {
 public:
  MeteredEmbedder(std::shared_ptr<Embedder> inner, const MeterOptions& options);

  const EmbedderInfo& info() const override { return inner_->info(); }
  Result<Embedded> Embed(std::span<const std::string> texts, CallContext& ctx) override;
  Spent spent() const { return meter_.spent(); }

 private:
  const std::shared_ptr<Embedder> inner_;  // shared: one embedder serves search and index
  Meter meter_;
};

}  // namespace schemaward::llm
