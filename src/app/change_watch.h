#pragma once

// Notices that the index or the definitions of a served source are others than before, whichever
// process has changed them, and that a part of the server stands otherwise: for clients that asked
// to be told.

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/notices.h"
#include "base/mutex.h"
#include "base/result.h"
#include "store/store.h"

namespace schemaward::app {

inline constexpr std::chrono::milliseconds kLookEvery{2'000};  ///< at the store, for changes

/// What anybody would be told of now.
struct Hearing {
  bool changes = false;  ///< of an index, or of definitions
  bool log = false;      ///< of how the parts stand
};

/// The store at one look.
struct Sight {
  std::vector<store::Source> sources;                ///< served ones
  std::map<std::int64_t, std::int64_t> definitions;  ///< their generations, by the source's id
};

/// Reads one state of the store. `served`: names of the sources; empty: all. Errors: the store's.
Result<Sight> LookAt(store::Store& store, const std::vector<std::string>& served);

/// Looks every so often, once for all that is heard of; not at all while nobody would be told.
/// Thread: any. Lifetime: what the options refer to outlives it; Stop, or the destructor, waits for
/// its thread.
class ChangeWatch {
 public:
  struct Options {
    /// Called under this object's mutex, which comes before those that it takes.
    std::function<Hearing()> hearing;
    std::function<Result<Sight>()> look;
    /// Told the names of the sources that have changed.
    std::function<void(const std::set<std::string>& sources)> changed;
    /// How the parts stand, by the sources of the same look; null: the store cannot be read.
    std::function<Health(const std::vector<store::Source>* sources)> health;
    NoticeTeller::Tell tell;
    std::chrono::milliseconds every = kLookEvery;
  };
  explicit ChangeWatch(Options options);
  ~ChangeWatch();
  ChangeWatch(const ChangeWatch&) = delete;
  ChangeWatch& operator=(const ChangeWatch&) = delete;

  /// Somebody new hears: remembers how it is now, where that is not known, and looks for what is
  /// other from then on. Does nothing after Stop.
  void Begin() EXCLUDES(mutex_);
  /// Looks now. Thread: one at a time, not beside its own.
  void Look() EXCLUDES(mutex_);
  void Stop() EXCLUDES(mutex_);

 private:
  /// Of the index, and of the definitions.
  using Generations = std::pair<std::int64_t, std::int64_t>;
  static std::map<std::string, Generations> GenerationsOf(const Sight& sight);
  Health HealthBy(const Result<Sight>& sight) const;
  void TellChanges(const Sight& sight);
  void Run() EXCLUDES(mutex_);

  const Options options_;
  // Each is of who looks while known_ has it, else of Begin.
  std::map<std::string, Generations> seen_;  // by source
  NoticeTeller notices_;
  Mutex mutex_;
  CondVar stopped_;
  Hearing known_ GUARDED_BY(mutex_);  // what the last look, or Begin, has looked for
  bool is_stopped_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace schemaward::app
