#pragma once

// ChildProcess: another program at work for this one, in a process group of its own, which has
// ended when the object has.

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/result.h"

namespace schemaward {

/// What of it is held by this process.
enum class ChildEnds : std::uint8_t {
  Output,  ///< a pipe that it writes; its input is empty
  Both     ///< one socket, its input and its output
};

struct ChildCommand {
  std::string program;                 ///< a path, or a name that PATH leads to
  std::vector<std::string> arguments;  ///< the program's own name first; seen by everybody
  std::optional<std::map<std::string, std::string>> environment{};  ///< none: that of this process
  ChildEnds ends = ChildEnds::Both;
  bool drops_errors = false;  ///< standard error goes nowhere; else it is that of this process
};

/// It holds no other file of this process, and no signal is held back in it. A group of its own
/// keeps a Ctrl-C that is meant for this process from it. Thread: owner. Its destruction closes our
/// end, kills the group and waits for the process; to let it end by itself, WaitForEnd first.
class ChildProcess {
 public:
  /// Errors: Internal where the system gives no pipe or socket; InputUnreadable where the program
  /// cannot be started, its errno in the private detail.
  static Result<ChildProcess> Start(const ChildCommand& command);
  ~ChildProcess();
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;

  /// Our end of it, to read and with ChildEnds::Both to write; -1 once closed.
  int end() const { return end_; }
  /// It reads the end of its input; what it writes can still be read. Requires: ChildEnds::Both.
  void CloseInput() const;
  /// It reads the end of its input, and nobody reads what it writes.
  void Close();

  /// None while it runs, then whether it exited with 0.
  std::optional<bool> EndedWell() const;
  /// Returns true once it has ended, false where it has not within `time_max`.
  bool WaitForEnd(std::chrono::milliseconds time_max) const;
  /// What a process that has ended left running in its group is left alone. Requires: it has ended.
  void LeaveGroup();

 private:
  ChildProcess(pid_t pid, int end) : pid_(pid), end_(end) {}
  pid_t pid_;  // also of its group; not waited for before the group is killed, so nobody else's
  int end_;
};

}  // namespace schemaward
