#pragma once

// Counts of calls, as Prometheus reads them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/mutex.h"

namespace schemaward::tool {

/// How one call ended. Lifetime: of the call.
struct CallEnd {
  std::string_view tool;    ///< as registered; "unknown" where there is no such tool
  std::string_view status;  ///< of the envelope
  std::string_view kind;    ///< of the failure; empty where there is none
  std::string_view reason;
  std::int64_t duration_us = 0;
};

/// All labels are of closed lists, so what is kept is bounded. Thread: any.
class CallMetrics {
 public:
  void Count(const CallEnd& end) EXCLUDES(mutex_);
  /// Returns the lines, sorted: schemaward_calls_total, schemaward_failures_total and the histogram
  /// schemaward_call_seconds.
  std::string Text() const EXCLUDES(mutex_);

  /// Upper bounds of the histogram, in microseconds.
  static constexpr std::array<std::int64_t, 9> kBoundsUs = {
      250, 1'000, 5'000, 25'000, 100'000, 500'000, 2'500'000, 10'000'000, 30'000'000};

 private:
  struct Durations {
    std::array<std::uint64_t, kBoundsUs.size() + 1> counts{};  // each in its own bucket alone
    std::int64_t sum_us = 0;
  };
  using Labels = std::pair<std::string, std::string>;

  mutable Mutex mutex_;
  std::map<Labels, std::uint64_t> calls_ GUARDED_BY(mutex_);     // by tool and status
  std::map<Labels, std::uint64_t> failures_ GUARDED_BY(mutex_);  // by kind and reason
  std::map<std::string, Durations> durations_ GUARDED_BY(mutex_);
};

}  // namespace schemaward::tool
