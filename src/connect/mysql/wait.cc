#include "connect/mysql/wait.h"

namespace schemaward::connect::mysql {
namespace {

// How long a server may take to obey before the connection is given up.
constexpr std::chrono::milliseconds kObeyTimeMax{5'000};

}  // namespace

bool Wait::Stop(StopCause cause) {
  if (is_stopped()) return false;
  cause_ = cause;
  if (!stopper_ || !stopper_()) return false;
  until_ = Deadline::After(ctx_.clock, kObeyTimeMax);
  return true;
}

StopCause CauseOf(Wake wake) {
  if (wake == Wake::Cancelled) return StopCause::Cancelled;
  return wake == Wake::Deadline ? StopCause::Deadline : StopCause::TimeLimit;
}

}  // namespace schemaward::connect::mysql
