#pragma once

// The sessions of the eras that have them: their names, and whose they are.

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"

namespace schemaward::transport::http {

/// Bounded, since clients often leave without a word. A principal that has its share gives up its
/// own session that was not heard of for longest; where all are too many, one of those who have the
/// most does. So nobody's session gives way to a principal that has more than its owner.
/// Thread: any.
class Sessions {
 public:
  struct Bounds {
    std::size_t all = 0;
    std::size_t of_one = 0;  ///< principal; at least one where `all` is
  };
  explicit Sessions(Bounds bounds) : bounds_(bounds) {}

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
  bool Has(const std::string& name) const EXCLUDES(mutex_);
  std::size_t count() const EXCLUDES(mutex_);
  /// All of them, in no order.
  std::vector<std::string> Names() const EXCLUDES(mutex_);

 private:
  struct Entry {
    std::string name, principal;
    std::uint64_t heard = 0;  // counts what is heard, in all sessions
  };
  using Entries = std::list<Entry>;  // latest heard of first

  /// Returns those whose last gives way to a further one of `principal`; null: there is room.
  const Entries* WhoGivesWay(const std::string& principal) const REQUIRES(mutex_);
  void Erase(const std::string& name) REQUIRES(mutex_);

  const Bounds bounds_;
  mutable Mutex mutex_;
  std::uint64_t heard_ GUARDED_BY(mutex_) = 0;
  std::unordered_map<std::string, Entries> by_principal_ GUARDED_BY(mutex_);  // none is empty
  std::unordered_map<std::string, Entries::iterator> by_name_ GUARDED_BY(mutex_);
};

}  // namespace schemaward::transport::http
