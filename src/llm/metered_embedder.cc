#include "llm/metered_embedder.h"

#include <cassert>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/cut.h"
#include "llm/tokens.h"

namespace schemaward::llm {
namespace {

// What texts may be above their estimate.
constexpr std::int64_t kDoubtPercent = 10;

NanoUsd WorstCost(const Price& price, std::span<const std::string> texts) {
  Usage worst;
  for (const std::string& text : texts)
    worst.input_tokens += EstimateTokens(HeadOf(text, kEmbedTextBytesMax));
  worst.input_tokens = (worst.input_tokens * (100 + kDoubtPercent) + 99) / 100;
  return CostOf(price, worst);
}

}  // namespace

MeteredEmbedder::MeteredEmbedder(std::shared_ptr<Embedder> inner, const MeterOptions& options)
    : inner_(std::move(inner)), options_(options), spent_(options.before) {
  assert((options.price || !options.cost_max) && "money is bounded by a price");
}

Spent MeteredEmbedder::spent() const {
  const MutexLock lock(mutex_);
  return spent_;
}

Status MeteredEmbedder::Reserve(NanoUsd worst) {
  const MutexLock lock(mutex_);
  if (options_.cost_max && spent_.cost + reserved_ + worst > *options_.cost_max)
    return Error(ErrorKind::MoneyCap,
                 fmt::format("the limit of {} dollars is reached", ShowUsd(*options_.cost_max)))
        .Detail(fmt::format("{} dollars are spent; the next request could cost up to {}.",
                            ShowUsd(spent_.cost), ShowUsd(worst)));
  reserved_ += worst;
  return Ok();
}

void MeteredEmbedder::Settle(NanoUsd worst, const Result<Embedded>& made) {
  const MutexLock lock(mutex_);
  reserved_ -= worst;
  ++spent_.calls;
  if (!made) {
    ++spent_.failed_calls;
    return;
  }
  spent_.usage += made->usage;
  if (options_.price) spent_.cost += CostOf(*options_.price, made->usage);
}

Result<Embedded> MeteredEmbedder::Embed(std::span<const std::string> texts, CallContext& ctx) {
  const NanoUsd worst = options_.price ? WorstCost(*options_.price, texts) : 0;
  WARD_CHECK(Reserve(worst));
  auto made = inner_->Embed(texts, ctx);
  Settle(worst, made);
  return made;
}

}  // namespace schemaward::llm
