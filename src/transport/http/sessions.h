#pragma once

// The sessions of the eras that have them: their names, and whose they are.

#include <cstddef>
#include <list>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"

namespace schemaward::transport::http {

/// Bounded: clients often leave without a word, so where there are too many the one that was not
/// heard of for longest gives way. Thread: any.
class Sessions {
 public:
  explicit Sessions(std::size_t sessions_max) : sessions_max_(sessions_max) {}

  struct Opened {
    std::string name;     ///< 64 hexadecimal digits that cannot be guessed
    std::string evicted;  ///< the session that gave way, or empty
  };
  /// Begins a session of `principal`. Errors: Internal where the system has no random bytes.
  Result<Opened> Open(const std::string& principal) EXCLUDES(mutex_);
  /// Returns whether there is such a session of `principal`, which is heard of now.
  bool Touch(const std::string& name, const std::string& principal) EXCLUDES(mutex_);
  /// Ends a session. Returns false where there is no such one of `principal`.
  bool Close(const std::string& name, const std::string& principal) EXCLUDES(mutex_);
  std::size_t count() const EXCLUDES(mutex_);
  /// All of them, the latest heard of first.
  std::vector<std::string> Names() const EXCLUDES(mutex_);

 private:
  struct Entry {
    std::string name, principal;
  };
  using Entries = std::list<Entry>;  // latest heard of first

  const std::size_t sessions_max_;
  mutable Mutex mutex_;
  Entries entries_ GUARDED_BY(mutex_);
  std::unordered_map<std::string, Entries::iterator> by_name_ GUARDED_BY(mutex_);
};

}  // namespace schemaward::transport::http
