#pragma once

// Notices that the index or the definitions of a served source are others than before, whichever
// process has changed them: for clients that asked to be told.

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "store/store.h"

namespace schemaward::app {

inline constexpr std::chrono::milliseconds kLookEvery{2'000};  ///< at the store, for changes

/// Looks at the store every so often, once it has begun. Thread: any. Lifetime: the store outlives
/// it; Stop, or the destructor, waits for its thread.
class ChangeWatch {
 public:
  /// Told the names of the sources that have changed.
  using Tell = std::function<void(const std::set<std::string>& sources)>;

  /// `served`: names of the sources; empty: all. `also`: done when it begins, and behind each look
  /// of its thread; may be empty.
  ChangeWatch(store::Store& store, std::vector<std::string> served, Tell tell,
              std::chrono::milliseconds every = kLookEvery, std::function<void()> also = {});
  ~ChangeWatch();
  ChangeWatch(const ChangeWatch&) = delete;
  ChangeWatch& operator=(const ChangeWatch&) = delete;

  /// Remembers what is there now, and looks for what is other from then on. A second call does
  /// nothing, nor does one after Stop.
  void Begin() EXCLUDES(mutex_);
  /// Looks now. Requires: Begin. Thread: one at a time, not beside its own.
  void Look();
  void Stop() EXCLUDES(mutex_);

 private:
  /// Of the index, and of the definitions.
  using Generations = std::pair<std::int64_t, std::int64_t>;
  Result<std::map<std::string, Generations>> Read() const;
  void Run() EXCLUDES(mutex_);

  store::Store& store_;
  const std::vector<std::string> served_;
  const Tell tell_;
  const std::chrono::milliseconds every_;
  const std::function<void()> also_;
  std::map<std::string, Generations> seen_;  // by source; of the thread, once it runs
  Mutex mutex_;
  CondVar stopped_;
  bool has_begun_ GUARDED_BY(mutex_) = false;
  bool is_stopped_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace schemaward::app
