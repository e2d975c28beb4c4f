#pragma once

// What one server remembers of the questions to its users and to their clients' models: how many
// calls wait for an answer now, and which answers have been used. Both are bounded.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/mutex.h"

namespace schemaward::mcp {

/// Most used answers that are remembered while they would still be good.
inline constexpr std::size_t kConsentsUsedMax = 4096;

/// Thread: any.
class ConsentBook {
 public:
  /// A place among the calls that wait, given back at its end. Lifetime: the book outlives it.
  class Place {
   public:
    explicit Place(ConsentBook& book) : book_(&book) {}
    Place(Place&& other) noexcept : book_(std::exchange(other.book_, nullptr)) {}
    Place& operator=(Place&&) = delete;
    ~Place();

   private:
    ConsentBook* book_;
  };

  explicit ConsentBook(std::size_t waiting_max) : waiting_max_(waiting_max) {}

  /// Returns a place, or none where `waiting_max` calls wait.
  std::optional<Place> Wait() EXCLUDES(mutex_);

  /// Uses the state of a question that was asked at `asked_at`, both since 1970, and forgets those
  /// that were asked more than `good_for` before `now`. Returns whether it may be used: it was not
  /// yet, and there is room to remember it.
  bool Use(std::string_view state, std::chrono::microseconds asked_at,
           std::chrono::microseconds now, std::chrono::microseconds good_for) EXCLUDES(mutex_);

 private:
  const std::size_t waiting_max_;
  Mutex mutex_;
  std::size_t waiting_ GUARDED_BY(mutex_) = 0;
  std::multimap<std::chrono::microseconds, std::string> used_ GUARDED_BY(mutex_);  // by asked_at
};

}  // namespace schemaward::mcp
