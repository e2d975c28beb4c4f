#include "llm/meter.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

namespace schemaward::llm {
namespace {

// What is sent may be above its estimate.
constexpr std::int64_t kDoubtPercent = 10;

NanoUsd WorstCost(const Price& price, Usage worst) {
  worst.input_tokens = (worst.input_tokens * (100 + kDoubtPercent) + 99) / 100;
  Price dear = price;
  dear.input = std::max(price.input, price.cache_write);
  return CostOf(dear, worst);
}

}  // namespace

Meter::Meter(const MeterOptions& options) : options_(options), spent_(options.before) {
  assert((options.price || !options.cost_max) && "money is bounded by a price");
}

Result<NanoUsd> Meter::Reserve(const Usage& worst) {
  const NanoUsd cost = options_.price ? WorstCost(*options_.price, worst) : 0;
  const MutexLock lock(mutex_);
  if (options_.cost_max && spent_.cost + reserved_ + cost > *options_.cost_max)
    return Error(ErrorKind::MoneyCap,
                 fmt::format("the limit of {} dollars is reached", ShowUsd(*options_.cost_max)))
        .Detail(fmt::format("{} dollars are spent; the next call could cost up to {}.",
                            ShowUsd(spent_.cost), ShowUsd(cost)));
  reserved_ += cost;
  return cost;
}

void Meter::Settle(NanoUsd reserved, const Usage& used, bool failed) {
  const MutexLock lock(mutex_);
  reserved_ -= reserved;
  ++spent_.calls;
  if (failed) ++spent_.failed_calls;
  spent_.usage += used;
  if (options_.price) spent_.cost += CostOf(*options_.price, used);
}

Spent Meter::spent() const {
  const MutexLock lock(mutex_);
  return spent_;
}

}  // namespace schemaward::llm
