#pragma once

// Waits for a socket, a stop and a deadline at once.

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>

#include "base/call_context.h"

namespace schemaward::connect {

enum class Wake : std::uint8_t { Ready, Cancelled, Deadline, TimedOut };

/// Waits on behalf of one call. The stop callback only writes to an eventfd; what a stop means is
/// done by the thread that waits. Thread: owner. Lifetime: inside the call whose context it holds.
class StopSignal {
 public:
  explicit StopSignal(const CallContext& ctx);
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  /// Returns when `socket` can be read (or written, where asked), the call is stopped, its deadline
  /// or `until` has passed.
  Wake WaitFor(int socket, bool to_write, Deadline until);

 private:
  const CallContext& ctx_;
  int event_ = -1;  ///< -1 where no stop can come
  std::optional<std::stop_callback<std::function<void()>>> callback_;
};

}  // namespace schemaward::connect
