#include "connect/mysql/quiet_pipe.h"

#include <cerrno>

#include <gtest/gtest.h>
#include <unistd.h>

namespace schemaward::connect::mysql {
namespace {

TEST(QuietPipe, KeepsTheProgramAliveWhenNobodyReads) {
  int ends[2] = {};
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  {
    const QuietPipe quiet, nested;
    EXPECT_EQ(write(ends[1], "x", 1), -1);
    EXPECT_EQ(errno, EPIPE);
  }
  close(ends[1]);
  // What came meanwhile is gone, and the signal would be delivered again.
  sigset_t now;
  sigset_t pending;
  pthread_sigmask(SIG_SETMASK, nullptr, &now);
  sigpending(&pending);
  EXPECT_EQ(sigismember(&now, SIGPIPE), 0);
  EXPECT_EQ(sigismember(&pending, SIGPIPE), 0);
}

}  // namespace
}  // namespace schemaward::connect::mysql
