#include "mcp/client_wait.h"

namespace schemaward::mcp {
namespace {

constexpr std::chrono::milliseconds kLookEvery{1'000};  // for a deadline by another clock

}  // namespace

Error ClientHasGone() { return Error(ErrorKind::SourceUnreachable, "the client has gone"); }

ClientWait::ClientWait(Mutex& mutex, CondVar& changed, CallContext& ctx)
    : changed_(changed),
      ctx_(ctx),
      until_(std::chrono::steady_clock::now() + kClientWaitMax),
      wake_(ctx.stop, [&mutex, &changed] {
        { const MutexLock lock(mutex); }  // else it could come between the look and the wait
        changed.notify_all();
      }) {}

Status ClientWait::Next(Mutex& mutex) {
  WARD_CHECK(ctx_.Check());
  const auto now = std::chrono::steady_clock::now();
  if (now >= until_)
    return Error(ErrorKind::SourceUnreachable, "the client did not answer in time");
  changed_.wait_until(
      mutex, now + ctx_.deadline.Left(ctx_.clock, kLookEvery) + std::chrono::milliseconds(1));
  return Ok();
}

}  // namespace schemaward::mcp
