#include "connect/mysql/quiet_pipe.h"

#include <ctime>

namespace schemaward::connect::mysql {
namespace {

sigset_t OnlyPipe() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  return set;
}

bool IsPending() {
  sigset_t pending;
  sigpending(&pending);
  return sigismember(&pending, SIGPIPE) == 1;
}

}  // namespace

QuietPipe::QuietPipe() {
  was_pending_ = IsPending();
  const sigset_t pipe = OnlyPipe();
  pthread_sigmask(SIG_BLOCK, &pipe, &before_);
}

QuietPipe::~QuietPipe() {
  const sigset_t pipe = OnlyPipe();
  const timespec at_once{};
  if (!was_pending_ && IsPending()) sigtimedwait(&pipe, nullptr, &at_once);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace schemaward::connect::mysql
