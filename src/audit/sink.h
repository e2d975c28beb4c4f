#pragma once

// Where each record goes besides the log, as one line of JSON: a file, standard error or syslog.

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"

namespace schemaward::audit {

/// Takes lines without waiting: they go through a bounded queue to a thread of its own. What does
/// not fit, or cannot be written, is counted. Thread: any.
class Sink {
 public:
  static constexpr std::size_t kQueueMax = 4096;  ///< lines
  static constexpr std::size_t kQueueBytesMax = 16U << 20U;

  /// `where`: "stderr"; "file:PATH", appended to, made with mode 0600; "syslog", which is the
  /// socket /dev/log, or "syslog:PATH" for another; empty for none, which gives null. Nothing is
  /// opened before the first line. Errors: InvalidArgument.
  static Result<std::unique_ptr<Sink>> Create(const std::string& where);
  /// Waits a second for what is queued, then leaves it.
  ~Sink();
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  /// Queues `line`, which has no line end.
  void Put(std::string line);

  struct Failures {
    std::int64_t count = 0;  ///< lines that were lost
    std::string last;        ///< why the last one was
  };
  Failures failures() const;

 private:
  struct State;
  explicit Sink(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;  // the thread shares it, since it may outlive a hanging write
};

}  // namespace schemaward::audit
