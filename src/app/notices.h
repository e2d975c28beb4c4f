#pragma once

// What clients are told that asked for log messages: how a server's parts stand now, where that is
// other than before. The messages are these and no others; none holds a name or a value, since
// not every client may know of every source.

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "app/health.h"
#include "base/log.h"

namespace schemaward::app {

struct Notice {
  log::Level level;
  std::string_view event;  ///< one word, for programs
  std::string_view text;   ///< a sentence, for people
  bool operator==(const Notice&) const = default;
};

/// Returns what `now` has to say to whoever knows `before`: each message at most once, however many
/// sources it is true of; what has failed comes first. Lifetime: of its words, static.
std::vector<Notice> NoticesBetween(const Health& before, const Health& now);

/// Tells what has changed between two looks. Thread: one at a time.
class NoticeTeller {
 public:
  using Tell = std::function<void(const Notice&)>;
  explicit NoticeTeller(Tell tell) : tell_(std::move(tell)) {}

  /// Takes `now` for what is known, and tells nothing.
  void Begin(Health now);
  /// Tells what is other than before.
  void Look(Health now);

 private:
  const Tell tell_;
  std::optional<Health> known_;
};

}  // namespace schemaward::app
