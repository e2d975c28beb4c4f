#pragma once

// Asking again: which answers allow it, and how long to wait before.

#include <chrono>
#include <functional>
#include <optional>

#include "base/call_context.h"
#include "base/result.h"

namespace schemaward::llm {

struct RetryPolicy {
  int tries_max = 5;                          ///< the first one included
  std::chrono::milliseconds first{1'000};     ///< before the second try
  double factor = 2;                          ///< between one wait and the next
  std::chrono::milliseconds longest{30'000};  ///< of waits that we choose
  double jitter = 0.25;                       ///< share by which a wait is shortened or lengthened
  std::chrono::milliseconds asked_max{120'000};  ///< of waits that the service asks for; it is not
                                                 ///< asked again where it wants more
};

/// True for 408, 409, 425, 429, 499 and 5xx, but for 501 and 505, which stay.
bool IsRetryableStatus(int status);

/// Returns the wait after `failed` tries (at least 1). `asked`: what the service asks for, which is
/// never cut short. `random`: in [0, 1), spreads the wait. Nothing: do not ask again.
std::optional<std::chrono::milliseconds> DelayBefore(const RetryPolicy& policy, int failed,
                                                     std::optional<std::chrono::milliseconds> asked,
                                                     double random);

/// Waits on behalf of a call. Errors: Cancelled, DeadlineExceeded, as soon as they are so.
using Pause = std::function<Status(std::chrono::milliseconds, CallContext&)>;
/// Gives numbers in [0, 1).
using Random = std::function<double()>;

/// The pause that waits, and the machine's own chance. Thread: any; a Random is its owner's.
Pause SystemPause();
Random SystemRandom();

}  // namespace schemaward::llm
