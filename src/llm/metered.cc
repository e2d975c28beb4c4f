#include "llm/metered.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include <fmt/format.h>

#include "llm/tokens.h"

namespace schemaward::llm {
namespace {

// What a prompt may be above its estimate.
constexpr std::int64_t kDoubtPercent = 10;

NanoUsd WorstCost(const Price& price, const Request& request) {
  Usage worst;
  worst.input_tokens = EstimateTokens(request) * (100 + kDoubtPercent) / 100;
  worst.output_tokens = request.output_tokens_max;
  Price dear = price;
  dear.input = std::max(price.input, price.cache_write);
  return CostOf(dear, worst);
}

}  // namespace

MeteredLlm::MeteredLlm(std::shared_ptr<Llm> inner, const MeterOptions& options)
    : inner_(std::move(inner)), options_(options), spent_(options.before) {
  assert((options.price || !options.cost_max) && "money is bounded by a price");
}

Spent MeteredLlm::spent() const {
  MutexLock lock(mutex_);
  return spent_;
}

Status MeteredLlm::Reserve(NanoUsd worst) {
  MutexLock lock(mutex_);
  if (options_.cost_max && spent_.cost + reserved_ + worst > *options_.cost_max)
    return Error(ErrorKind::MoneyCap,
                 fmt::format("the limit of {} dollars is reached", ShowUsd(*options_.cost_max)))
        .Detail(fmt::format("{} dollars are spent; the next call could cost up to {}.",
                            ShowUsd(spent_.cost), ShowUsd(worst)));
  reserved_ += worst;
  return Ok();
}

void MeteredLlm::Settle(NanoUsd worst, const Result<Reply>& reply, const Usage& broken) {
  MutexLock lock(mutex_);
  reserved_ -= worst;
  ++spent_.calls;
  if (!reply) ++spent_.failed_calls;
  const Usage& usage = reply ? reply->usage : broken;
  spent_.usage += usage;
  if (options_.price) spent_.cost += CostOf(*options_.price, usage);
}

Result<Reply> MeteredLlm::Complete(const Request& request, const OnWords& on_text,
                                   CallContext& ctx) {
  const NanoUsd worst = options_.price ? WorstCost(*options_.price, request) : 0;
  WARD_CHECK(Reserve(worst));
  std::string heard;
  const auto hear = [&](std::string_view text) {
    heard += text;
    if (on_text) on_text(text);
  };
  auto reply = inner_->Complete(request, hear, ctx);
  Usage broken;
  if (!reply && !heard.empty())
    broken = {.input_tokens = EstimateTokens(request),
              .output_tokens = EstimateTokens(heard),
              .is_estimate = true};
  Settle(worst, reply, broken);
  return reply;
}

}  // namespace schemaward::llm
