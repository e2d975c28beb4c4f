#pragma once

// How many calls each caller may have at once, so that one that sends many leaves workers to the
// others.

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>

#include "base/mutex.h"

namespace schemaward::mcp {

/// Remembers only principals with a call that runs or waits. Thread: any.
class CallerLimit {
 public:
  /// `calls_max`: of one principal; 0: no limit.
  explicit CallerLimit(std::size_t calls_max) : calls_max_(calls_max) {}

  /// Counts a call until it is destroyed. Thread: any. Lifetime: the limit outlives it.
  class Place {
   public:
    Place(CallerLimit& limit, std::string principal);
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

   private:
    CallerLimit& limit_;
    const std::string principal_;
  };
  /// Returns the place of a further call of `principal`; null where it has as many as it may.
  std::unique_ptr<Place> Enter(const std::string& principal) EXCLUDES(mutex_);
  /// Returns how many principals have a call.
  std::size_t PrincipalCount() const EXCLUDES(mutex_);

 private:
  void Leave(const std::string& principal) EXCLUDES(mutex_);

  const std::size_t calls_max_;
  mutable Mutex mutex_;
  std::unordered_map<std::string, std::size_t> calls_ GUARDED_BY(mutex_);
};

}  // namespace schemaward::mcp
