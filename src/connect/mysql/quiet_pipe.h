#pragma once

// Keeps SIGPIPE away while a library writes to a socket that its peer may have closed.

#include <signal.h>

namespace schemaward::connect::mysql {

/// Under TLS the client library writes without MSG_NOSIGNAL, and a program that has not ignored
/// SIGPIPE would end. Blocks the signal for this thread and takes one that came meanwhile. Thread:
/// owner; nests.
class QuietPipe {
 public:
  QuietPipe();
  ~QuietPipe();
  QuietPipe(const QuietPipe&) = delete;
  QuietPipe& operator=(const QuietPipe&) = delete;

 private:
  sigset_t before_{};
  bool was_pending_ = false;
};

}  // namespace schemaward::connect::mysql
