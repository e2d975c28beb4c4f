#pragma once

// Ctrl-C as a request to stop, so that what was done can be kept.

#include <stop_token>
#include <thread>

namespace schemaward::cli {

/// While it lives, the first SIGINT, SIGTERM or SIGHUP asks to stop, and the next one ends the
/// process. Thread: made by the main thread before there is another, so that none takes the signal.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  std::stop_token token() const { return stop_.get_token(); }

 private:
  void Watch();

  std::stop_source stop_;
  int signals_ = -1;  // signalfd
  int over_ = -1;     // eventfd: written at the end
  std::thread watcher_;
};

}  // namespace schemaward::cli
