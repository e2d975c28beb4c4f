#pragma once

// The wait of a call for what its client is to say: an answer to a request of ours, a request that
// comes back, a word about a task. All end in the same ways.

#include <chrono>
#include <functional>
#include <stop_token>

#include "base/call_context.h"
#include "base/mutex.h"
#include "base/result.h"

namespace schemaward::mcp {

/// Longest wait for one client.
inline constexpr std::chrono::milliseconds kClientWaitMax{600'000};

/// The error of a call whose client will say nothing more.
Error ClientHasGone();

/// Made before the mutex is taken, for one wait. Thread: owner. Lifetime: what it is given outlives
/// it.
class ClientWait {
 public:
  /// `mutex` guards what is waited for; `changed` is told whenever that is other than before.
  ClientWait(Mutex& mutex, CondVar& changed, CallContext& ctx);
  ClientWait(const ClientWait&) = delete;
  ClientWait& operator=(const ClientWait&) = delete;

  /// Waits until `changed` may have been told; the caller then looks again. `mutex`: the same.
  /// Errors: SourceUnreachable once it has lasted kClientWaitMax; Cancelled, DeadlineExceeded.
  Status Next(Mutex& mutex) REQUIRES(mutex);

 private:
  CondVar& changed_;
  CallContext& ctx_;
  const std::chrono::steady_clock::time_point until_;
  const std::stop_callback<std::function<void()>> wake_;
};

}  // namespace schemaward::mcp
