#include "app/http_rate.h"

#include <algorithm>
#include <cmath>

namespace schemaward::app {

HttpRate::HttpRate(std::size_t per_second, std::size_t burst, const Clock& clock)
    : per_second_(static_cast<double>(per_second)),
      burst_(static_cast<double>(std::max<std::size_t>(burst, 1))),
      clock_(clock) {}

std::optional<std::chrono::seconds> HttpRate::Take(const std::string& principal) {
  if (!IsLimited()) return std::nullopt;
  const Time now = clock_.Now();
  const MutexLock lock(mutex_);
  Bucket& bucket = BucketOf(principal, now);
  const double passed = std::chrono::duration<double>(now - bucket.at).count();
  bucket.tokens = std::min(burst_, bucket.tokens + passed * per_second_);
  bucket.at = now;
  if (bucket.tokens < 1) {
    const double wait = std::ceil((1 - bucket.tokens) / per_second_);
    return std::chrono::seconds(std::max<std::int64_t>(static_cast<std::int64_t>(wait), 1));
  }
  bucket.tokens -= 1;
  return std::nullopt;
}

HttpRate::Bucket& HttpRate::BucketOf(const std::string& principal, Time now) {
  if (const auto found = by_principal_.find(principal); found != by_principal_.end()) {
    buckets_.splice(buckets_.begin(), buckets_, found->second);
    return buckets_.front();
  }
  if (buckets_.size() >= kRatePrincipalsMax) {
    by_principal_.erase(buckets_.back().principal);
    buckets_.pop_back();
  }
  buckets_.push_front({principal, burst_, now});
  by_principal_[principal] = buckets_.begin();
  return buckets_.front();
}

std::size_t HttpRate::PrincipalCount() const {
  const MutexLock lock(mutex_);
  return buckets_.size();
}

}  // namespace schemaward::app
