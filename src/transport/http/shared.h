#pragma once

// What the connections of one server share, and the way back of one request. No header of Boost
// here: these live on after the server where a call does.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "transport/http/sessions.h"
#include "transport/http/streams.h"
#include "transport/http_server.h"

namespace schemaward::transport::http {

/// What has happened since the start. Thread: the server's.
struct Counters {
  std::uint64_t connections = 0;  ///< accepted
  std::uint64_t requests = 0;     ///< heads read
  std::uint64_t refused = 0;      ///< answered before anything of them was looked at
  std::uint64_t streams = 0;      ///< answered by a stream of events
  std::uint64_t abandoned = 0;    ///< the other side left before its answer
  std::uint64_t timeouts = 0;     ///< connections closed since nothing came or went in time
  std::uint64_t dropped = 0;      ///< messages that a slow reader did not get
};

struct Outgoing;
/// Says something in the stream that a session listens on. Thread: any.
using Say = std::function<void(const std::string& session, Outgoing)>;

/// Thread: the server's. Lifetime: outlives the connections.
struct Shared {
  const HttpOptions& options;
  Handler& handler;
  std::shared_ptr<Sessions> sessions;  // shared with calls that outlive the server
  std::shared_ptr<const Say> say;      // shared as the sessions
  Streams streams{Streams::Bounds{}};
  Counters counters{};
  bool is_draining = false;
  std::set<std::shared_ptr<Connection>> open{};
  std::function<void()> on_closed{};  ///< a connection is gone from `open`
  /// Has the connection watched for its end where request `number` still runs after a while.
  std::function<void(std::weak_ptr<Connection>, std::uint64_t number)> watch_later{};
  std::shared_ptr<void> keeps_context{};  ///< what the messages of late calls are posted to
};

/// A message on its way to the connection that its request came by.
struct Outgoing {
  std::string text;
  int status = kStatusOk;
  bool is_last = false;               ///< without a text: there is no answer
  bool stays_open = false;            ///< no message: the request has no end of its own
  std::string session{};              ///< that the answer names
  std::string evicted{};              ///< a session that gave way to it
  std::vector<std::string> scopes{};  ///< that the sender would have needed
};

/// Hands a message to the connection, on the server's thread. Thread: any.
using Deliver = std::function<void(Outgoing)>;

/// What reaches a session whenever there is something to say. Thread: any.
class SessionPeer final : public Peer {
 public:
  SessionPeer(std::string session, Principal principal, std::shared_ptr<const Say> say)
      : session_(std::move(session)), principal_(std::move(principal)), say_(std::move(say)) {}
  void Send(std::string_view text) override { (*say_)(session_, {.text = std::string(text)}); }
  const std::string& session() const override { return session_; }
  const Principal& principal() const override { return principal_; }

 private:
  const std::string session_;
  const Principal principal_;
  const std::shared_ptr<const Say> say_;  // shared with the server, which may go first
};

/// Thread: any.
class RequestPeer final : public Peer {
 public:
  struct About {
    std::string session;
    Principal principal;
    RequestHead head;
    bool can_send = false;
  };
  RequestPeer(About about, std::shared_ptr<Sessions> sessions, Deliver deliver,
              std::shared_ptr<const Say> say);

  void Send(std::string_view text) override;
  void Answer(std::string_view text, int status) override;
  void LacksScopes(const std::vector<std::string>& scopes) override EXCLUDES(mutex_);
  void Drop() override;
  void StaysOpen() override { deliver_({.text = {}, .stays_open = true}); }
  PeerPtr Channel() override EXCLUDES(mutex_);
  bool CanSend() const override { return about_.can_send; }
  const std::string& session() const override { return about_.session; }
  const Principal& principal() const override { return about_.principal; }
  const RequestHead* head() const override { return &about_.head; }
  Result<std::string> OpenSession() override EXCLUDES(mutex_);
  void WhenGone(std::function<void(Gone)> tell) override EXCLUDES(mutex_);

  /// Tells who asked for it that the other side is gone. Thread: the server's.
  void TellGone(Gone why) EXCLUDES(mutex_);

 private:
  const About about_;
  const std::shared_ptr<Sessions> sessions_;  // shared with the server, which may go first
  const Deliver deliver_;
  const std::shared_ptr<const Say> say_;
  Mutex mutex_;
  std::function<void(Gone)> tell_ GUARDED_BY(mutex_);
  bool is_closed_ GUARDED_BY(mutex_) = false;
  std::string opened_ GUARDED_BY(mutex_), evicted_ GUARDED_BY(mutex_);
  std::vector<std::string> scopes_ GUARDED_BY(mutex_);
};

/// Returns the lines of /metrics that are the server's own.
std::string MetricsText(const Shared& shared);

/// The type of answers in JSON.
inline constexpr std::string_view kJsonType = "application/json";

/// Returns a failure as JSON-RPC writes it. `why`: ours, so that it needs no escapes.
std::string FailureJson(std::string_view why);

/// Returns the head of a whole answer. `type`: empty where there is no body. `more`: further header
/// lines, each with its end.
std::string HeadOf(int status, std::string_view type, std::size_t body_bytes, bool keep_alive,
                   std::string_view more = {});
/// Returns the head of a stream of events, in chunks where the connection goes on after it.
/// `more`: as above.
std::string StreamHead(bool in_chunks, std::string_view more = {});
/// Returns one event that carries a message. `id`: by which a client comes back to the stream after
/// it; may be empty.
std::string EventOf(std::string_view message, bool in_chunks, std::string_view id = {});
/// Returns an event that carries nothing but its id.
std::string EmptyEventOf(bool in_chunks, std::string_view id);
/// Returns what clients pass over.
std::string CommentOf(bool in_chunks);
/// Ends a stream.
std::string_view StreamEnd(bool in_chunks);

}  // namespace schemaward::transport::http
