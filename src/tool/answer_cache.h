#pragma once

// Replies that a tool would give again: agents ask for the same tables, one after another and many
// at once.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/mutex.h"
#include "base/state_stamp.h"
#include "tool/tool.h"

namespace schemaward::tool {

/// Returns what a reply hangs on beside the index: the tool, its arguments, and all that is known
/// of the caller, since that decides what it may see.
std::string CallKey(std::string_view tool, const json::Value& args, const Principal& caller);

/// Keeps the replies of the last calls, up to kBytesMax, each for kKeptFor: a tool also tells the
/// watch that its source is used, which must not wait for longer. Thread: any.
class AnswerCache {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::size_t kBytesMax = 4u << 20;
  static constexpr std::size_t kReplyMax = kBytesMax / 16;  ///< a larger reply is not kept
  static constexpr std::chrono::milliseconds kKeptFor{1'000};

  /// Returns the reply that the stamp's reader kept for this call and this state, or null.
  std::shared_ptr<const Reply> Find(const std::string& key, const StateStamp& stamp, Time now)
      EXCLUDES(mutex_);
  /// Requires: `reply` has no error.
  void Keep(const std::string& key, const StateStamp& stamp, Time now, const Reply& reply)
      EXCLUDES(mutex_);
  std::size_t bytes() const EXCLUDES(mutex_);

 private:
  struct Entry {
    std::string key;
    StateStamp stamp;
    Time made;
    std::shared_ptr<const Reply> reply;
    std::size_t bytes = 0;
  };
  using Place = std::list<Entry>::iterator;
  void Drop(Place place) REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::list<Entry> entries_ GUARDED_BY(mutex_);                            // the last used first
  std::unordered_map<std::string_view, Place> places_ GUARDED_BY(mutex_);  // keys of entries_
  std::size_t bytes_ GUARDED_BY(mutex_) = 0;
};

}  // namespace schemaward::tool
