#pragma once

// How one call waits for its server: until it is stopped by the call's rules, then only for the
// server to obey.

#include <functional>

#include "base/call_context.h"
#include "connect/mysql/errors.h"
#include "connect/stop_signal.h"

namespace schemaward::connect::mysql {

/// Thread: owner. Lifetime: inside the call whose context it holds.
class Wait {
 public:
  /// Makes the server stop what it runs; an error where that cannot be done.
  using Stopper = std::function<Status()>;

  /// until: when the call is stopped even if nobody asks for it. stopper: may be empty; then a stop
  /// gives the connection up.
  Wait(const CallContext& ctx, Deadline until, Stopper stopper)
      : ctx_(ctx),
        signal_(ctx),
        drain_ctx_(ctx.clock),
        drain_(drain_ctx_),
        until_(until),
        stopper_(std::move(stopper)) {}

  Wake For(int socket, bool to_write) {
    return (is_stopped() ? drain_ : signal_).WaitFor(socket, to_write, until_);
  }

  /// Stops the statement. False: the connection must be given up, since the server does not obey or
  /// cannot be told.
  bool Stop(StopCause cause);

  StopCause cause() const { return cause_; }
  bool is_stopped() const { return cause_ != StopCause::None; }

 private:
  const CallContext& ctx_;
  StopSignal signal_;
  CallContext drain_ctx_;  // without stop and deadline
  StopSignal drain_;
  Deadline until_;
  Stopper stopper_;
  StopCause cause_ = StopCause::None;
};

/// Why a wait ended that did not end well. Requires: not Ready.
StopCause CauseOf(Wake wake);

}  // namespace schemaward::connect::mysql
