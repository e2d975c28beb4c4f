#include "connect/stop_signal.h"

#include <cstdint>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace schemaward::connect {
namespace {

// Deadlines are looked at again this often, whatever poll() was told: clocks are an interface.
constexpr std::chrono::milliseconds kSlice{1000};

}  // namespace

StopSignal::StopSignal(const CallContext& ctx) : ctx_(ctx) {
  if (!ctx.stop.stop_possible()) return;
  event_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  callback_.emplace(ctx.stop, [event = event_] {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(event, &one, sizeof one);
  });
}

StopSignal::~StopSignal() {
  callback_.reset();  // waits for a callback that runs, which still needs the eventfd
  if (event_ >= 0) close(event_);
}

Wake StopSignal::WaitFor(int socket, bool to_write, Deadline until) {
  while (true) {
    if (ctx_.stop.stop_requested()) return Wake::Cancelled;
    if (ctx_.deadline.HasPassed(ctx_.clock)) return Wake::Deadline;
    if (until.HasPassed(ctx_.clock)) return Wake::TimedOut;
    const auto left = until.Earlier(ctx_.deadline).Left(ctx_.clock, kSlice);
    const auto events = static_cast<short>(to_write ? POLLIN | POLLOUT : POLLIN);
    pollfd both[2] = {{socket, events, 0}, {event_, POLLIN, 0}};
    const int ready = poll(both, 2, static_cast<int>(left.count()) + 1);
    if (ready > 0 && both[0].revents != 0) return Wake::Ready;
  }
}

}  // namespace schemaward::connect
