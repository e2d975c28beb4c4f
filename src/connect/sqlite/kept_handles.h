#pragma once

// The open files that no call uses, kept for the next query on the same file: opening one anew
// reads its whole schema, some 15 microseconds a table. What is kept holds no lock.

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "connect/sqlite/handle.h"

namespace schemaward::connect::sqlite_engine {

/// At most as many handles are kept, over all files.
inline constexpr std::size_t kKeptMax = 8;
/// A handle that no call asked for is closed after this time: a file that was deleted keeps its
/// place on the disk so long.
inline constexpr std::chrono::milliseconds kKeptIdleMax{30'000};

/// Thread: any. Real time is used, since what is open costs memory whatever a test's clock says.
class KeptHandles {
 public:
  explicit KeptHandles(std::chrono::milliseconds idle_max = kKeptIdleMax) : idle_max_(idle_max) {}
  ~KeptHandles();
  KeptHandles(const KeptHandles&) = delete;
  KeptHandles& operator=(const KeptHandles&) = delete;

  /// Returns a handle on the file at `path` that was opened for queries when the file was as it is
  /// `now`, and is then no longer kept; nothing where there is none. Closes those on other states
  /// of it.
  std::optional<Handle> Take(const std::string& path, const FileState& now);
  /// Keeps a handle that a session released; the one that has been idle longest makes room.
  void Keep(Handle handle);
  /// Closes all of them.
  void CloseAll();
  std::size_t count() const;

 private:
  struct Idle {
    Handle handle;
    std::chrono::steady_clock::time_point since;
  };
  void Sweep(const std::stop_token& quit);

  const std::chrono::milliseconds idle_max_;
  mutable Mutex mutex_;
  CondVar changed_;
  std::vector<Idle> idle_ GUARDED_BY(mutex_);      // the last is the latest used
  bool sweeper_rests_ GUARDED_BY(mutex_) = false;  // until there is a handle again
  std::jthread sweeper_ GUARDED_BY(mutex_);        // runs from the first handle on
};

}  // namespace schemaward::connect::sqlite_engine
