#include "llm/retry.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <random>

namespace schemaward::llm {
namespace {

using std::chrono::milliseconds;

}  // namespace

bool IsRetryableStatus(int status) {
  constexpr std::array<int, 5> kOfClient = {408, 409, 425, 429, 499};
  if (status >= 500) return status <= 599 && status != 501 && status != 505;
  return std::find(kOfClient.begin(), kOfClient.end(), status) != kOfClient.end();
}

std::optional<milliseconds> DelayBefore(const RetryPolicy& policy, int failed,
                                        std::optional<milliseconds> asked, double random) {
  if (failed >= policy.tries_max) return std::nullopt;
  if (asked && *asked > policy.asked_max) return std::nullopt;
  const double longest = static_cast<double>(policy.longest.count());
  const double plain =
      std::min(longest, static_cast<double>(policy.first.count()) *
                            std::pow(policy.factor, static_cast<double>(failed - 1)));
  const double spread = plain * (1 + policy.jitter * (2 * random - 1));
  const milliseconds ours(static_cast<std::int64_t>(std::min(longest, spread)));
  return asked ? std::max(*asked, ours) : ours;
}

Pause SystemPause() {
  return [](milliseconds span, CallContext& ctx) -> Status {
    std::mutex mutex;
    std::condition_variable_any stopped;
    std::unique_lock lock(mutex);
    // What is left is rounded down; a wait that ends just before the deadline would not say so.
    const auto left = ctx.deadline.Left(ctx.clock, span);
    const auto wait = left < span ? left + milliseconds(1) : span;
    stopped.wait_for(lock, ctx.stop, wait, [] { return false; });
    return ctx.Check();
  };
}

Random SystemRandom() {
  auto engine = std::make_shared<std::mt19937_64>(std::random_device{}());  // shared: a function
                                                                            // that is copied
  return [engine] { return std::uniform_real_distribution<double>(0, 1)(*engine); };
}

}  // namespace schemaward::llm
