#pragma once

// A session: what `initialize` settled, and the requests that run.

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "base/mutex.h"
#include "mcp/asks.h"
#include "mcp/version.h"

namespace schemaward::mcp {

inline constexpr std::size_t kRunningMax = 1024;     ///< requests of one session that run or wait
inline constexpr std::size_t kClientBytesMax = 128;  ///< longest client name that is kept

/// What a client said of itself in `initialize`.
struct Negotiated {
  Revision revision = kLatestLegacy;
  std::string client;        ///< name and version, or empty
  bool samples = false;      ///< it has a model that it may be asked for
  bool shows_forms = false;  ///< its user can be asked by one
};

/// Thread: any.
class Session {
 public:
  void Negotiate(Negotiated negotiated);
  /// Nothing before `initialize`.
  std::optional<Negotiated> negotiated() const;

  /// Enters the request `id`. Returns how it is told to stop; nothing where a request of that id
  /// still runs or too many do.
  std::optional<std::stop_token> Begin(const std::string& id);
  /// Strikes the request out, so that its id is free before the client can have read the answer.
  /// Returns whether the answer may be sent: not after it was cancelled. Left() must follow.
  bool Finish(const std::string& id);
  /// The finished request has sent what it had to send.
  void Left();
  /// Returns whether the request may still say something.
  bool MaySpeak(const std::string& id) const;
  /// Stops the request and silences it. Does nothing where no such request runs.
  void Cancel(const std::string& id);
  /// Stops the request; it may still answer. Does nothing where no such request runs.
  void Stop(const std::string& id);
  /// Stops every request; each may still answer.
  void StopAll();
  /// Waits until every request has left. Returns false when `patience` ran out.
  bool WaitIdle(std::chrono::milliseconds patience);
  /// What the client is asked.
  Asks& asks() { return asks_; }

 private:
  struct Running {
    std::stop_source stop;
    bool is_silenced = false;
  };

  void End(const std::string& id, bool is_silenced);

  mutable Mutex mutex_;
  CondVar idle_;
  std::optional<Negotiated> negotiated_ GUARDED_BY(mutex_);
  std::map<std::string, Running> running_ GUARDED_BY(mutex_);
  std::size_t present_ GUARDED_BY(mutex_) = 0;  // begun and not left
  Asks asks_;
};

using SessionPtr = std::shared_ptr<Session>;

}  // namespace schemaward::mcp
