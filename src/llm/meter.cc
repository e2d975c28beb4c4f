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

Spent& Spent::operator+=(const Spent& other) {
  calls += other.calls;
  failed_calls += other.failed_calls;
  usage += other.usage;
  cost += other.cost;
  return *this;
}

Status Purse::Reserve(NanoUsd cost) {
  const MutexLock lock(mutex_);
  if (cost_max_ && spent_ + reserved_ + cost > *cost_max_)
    return Error(ErrorKind::MoneyCap,
                 fmt::format("the limit of {} dollars is reached", ShowUsd(*cost_max_)))
        .Detail(fmt::format("{} dollars are spent; the next call could cost up to {}.",
                            ShowUsd(spent_), ShowUsd(cost)));
  reserved_ += cost;
  return Ok();
}

void Purse::Settle(NanoUsd reserved, NanoUsd used) {
  const MutexLock lock(mutex_);
  reserved_ -= reserved;
  spent_ += used;
}

Meter::Meter(const MeterOptions& options)
    : price_(options.price),
      purse_(options.purse != nullptr
                 ? options.purse
                 : std::make_shared<Purse>(options.cost_max, options.before.cost)),
      spent_(options.before) {
  assert((price_ || !purse_->is_limited()) && "money is bounded by a price");
}

Result<NanoUsd> Meter::Reserve(const Usage& worst) {
  const NanoUsd cost = price_ ? WorstCost(*price_, worst) : 0;
  WARD_CHECK(purse_->Reserve(cost));
  return cost;
}

void Meter::Settle(NanoUsd reserved, const Usage& used, bool failed) {
  const NanoUsd cost = price_ ? CostOf(*price_, used) : 0;
  purse_->Settle(reserved, cost);
  const MutexLock lock(mutex_);
  ++spent_.calls;
  if (failed) ++spent_.failed_calls;
  spent_.usage += used;
  spent_.cost += cost;
}

Spent Meter::spent() const {
  const MutexLock lock(mutex_);
  return spent_;
}

}  // namespace schemaward::llm
