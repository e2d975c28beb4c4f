#pragma once

// Who hears of changes: the sessions of the older eras, and the requests that listen in the newest.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "mcp/session.h"
#include "transport/transport.h"

namespace schemaward::mcp {

inline constexpr std::size_t kSubscriptionsMax = 100;  ///< resources of one listener

/// How much a message of the log matters, as the protocol orders it.
enum class LogLevel : std::uint8_t {
  Debug,
  Info,
  Notice,
  Warning,
  Error,
  Critical,
  Alert,
  Emergency
};
inline constexpr std::array<std::string_view, 8> kLogLevelNames = {
    "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};

/// What is said to clients that asked for the log. Both texts are the program's own words, and
/// hold nothing of a source or a caller.
struct LogMessage {
  LogLevel level = LogLevel::Info;
  std::string event;  ///< one word, for programs
  std::string text;   ///< a sentence, for people
};

/// What has changed: the sources whose index or definitions are others than before.
struct Change {
  std::set<std::string> sources;
};

/// What a listener hears of.
struct Interests {
  bool lists = false;             ///< that a list of resources is another
  std::set<std::string> uris{};   ///< that these may read otherwise; at most kSubscriptionsMax
  std::optional<LogLevel> log{};  ///< messages of this level and above; none: of no level
};

/// What anybody hears of.
struct Hearing {
  bool changes = false;  ///< of lists, or of what resources read
  bool log = false;      ///< of messages of any level
};

struct Listener {
  transport::PeerPtr channel;
  Interests interests{};
  /// Of a request that listens: asked before each message, and called once at its end. Empty for a
  /// session.
  std::function<bool()> may_speak{};
  std::function<void()> end{};
};

/// Each hears only that something has changed, never what; and the messages of the log that it
/// asked for. Thread: any; what is sent and called is
/// so outside of the lock.
class Listeners {
 public:
  struct Key {
    const Session* session;
    std::string request;  ///< id as JSON, which its messages carry; empty: the session itself
    auto operator<=>(const Key&) const = default;
  };

  /// Enters a listener, who hears nothing before Open. Does nothing where there is one of that key.
  void Add(const Key& key, Listener listener) EXCLUDES(mutex_);
  /// From now on it hears, first of what has changed since Add. Does nothing where there is none.
  void Open(const Key& key) EXCLUDES(mutex_);
  /// Adds a resource. Returns false where it has as many as it may, or there is no such listener.
  bool Subscribe(const Key& key, const std::string& uri) EXCLUDES(mutex_);
  void Unsubscribe(const Key& key, const std::string& uri) EXCLUDES(mutex_);
  /// Strikes a listener out and calls its end.
  void End(const Key& key) EXCLUDES(mutex_);
  /// Ends the session's own and all of its requests that listen.
  void End(const Session& session) EXCLUDES(mutex_);
  /// Says to each who listens what it hears of.
  void Tell(const Change& change) EXCLUDES(mutex_);
  /// From now on it hears messages of `least` and above. Does nothing where there is no such
  /// listener.
  void SetLog(const Key& key, LogLevel least) EXCLUDES(mutex_);
  /// Says it to each who wants messages of its level. Who is not open does not hear of it later.
  void Log(const LogMessage& message) EXCLUDES(mutex_);
  /// Says to one that all it hears of may have changed.
  void TellAll(const Key& key) EXCLUDES(mutex_);
  /// What those who were added hear of, open or not.
  Hearing hearing() const EXCLUDES(mutex_);
  std::size_t count() const EXCLUDES(mutex_);

 private:
  struct Entry {
    Listener listener;
    bool is_open = false;
    Change missed{};  // before it was open
  };
  /// A message and whom it is for.
  struct Letter {
    transport::PeerPtr channel;
    std::function<bool()> may_speak;
    std::vector<std::string> messages;
  };
  static Letter LetterOf(const Key& key, const Entry& entry, const Change* change);
  static void Send(const std::vector<Letter>& letters);

  mutable Mutex mutex_;
  std::map<Key, Entry> entries_ GUARDED_BY(mutex_);
};

/// Returns the _meta member of what is said to the request `id` that listens.
std::string SubscriptionMeta(const std::string& id);

}  // namespace schemaward::mcp
