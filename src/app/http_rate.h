#pragma once

// How many requests a second each caller may send over HTTP.

#include <chrono>
#include <cstddef>
#include <list>
#include <optional>
#include <string>
#include <unordered_map>

#include "base/clock.h"
#include "base/mutex.h"

namespace schemaward::app {

inline constexpr std::size_t kRatePrincipalsMax = 10'000;  ///< that are remembered

/// A bucket of tokens for each principal: a request takes one, and they come back evenly up to the
/// burst. Where too many principals are remembered, the one that was not heard of for longest is
/// forgotten, and has a full bucket if it comes again. Thread: any. Lifetime: the clock outlives
/// it.
class HttpRate {
 public:
  /// `per_second`: 0: no limit. `burst`: requests at once; at least one.
  HttpRate(std::size_t per_second, std::size_t burst, const Clock& clock);

  bool IsLimited() const { return per_second_ > 0; }
  /// Takes a request of `principal`. Returns nothing, or after how long one will be taken again.
  std::optional<std::chrono::seconds> Take(const std::string& principal) EXCLUDES(mutex_);
  std::size_t PrincipalCount() const EXCLUDES(mutex_);

 private:
  using Time = std::chrono::steady_clock::time_point;
  struct Bucket {
    std::string principal;
    double tokens = 0;
    Time at;  // when it had so many
  };
  using Buckets = std::list<Bucket>;  // latest heard of first

  Bucket& BucketOf(const std::string& principal, Time now) REQUIRES(mutex_);

  const double per_second_, burst_;
  const Clock& clock_;
  mutable Mutex mutex_;
  Buckets buckets_ GUARDED_BY(mutex_);
  std::unordered_map<std::string, Buckets::iterator> by_principal_ GUARDED_BY(mutex_);
};

}  // namespace schemaward::app
