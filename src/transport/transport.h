#pragma once

// What carries messages: a transport cuts what arrives into messages and pushes each to the
// handler, with the peer to answer. Push, since a pull-style ReadMessage() fits one pipe but not
// HTTP.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"

namespace schemaward::transport {

inline constexpr std::size_t kMessageBytesMax = 4u << 20;  ///< longest message that is taken in

/// What HTTP says of a message beside the message, without the white space around it.
struct RequestHead {
  std::optional<std::string> protocol_version;  ///< MCP-Protocol-Version
  std::optional<std::string> method;            ///< Mcp-Method
  std::optional<std::string> name;              ///< Mcp-Name, as sent
};

/// HTTP's word for an answer that is what was asked for.
inline constexpr int kStatusOk = 200;
/// And for one that refuses whoever was not granted enough.
inline constexpr int kStatusForbidden = 403;
/// And for one that is asked too much by this caller; it is told to come again after kRetryAfter.
inline constexpr int kStatusTooMany = 429;
inline constexpr std::chrono::seconds kRetryAfter{1};

/// The principal of callers that nobody asks who they are.
inline constexpr std::string_view kAnybodyId = "anonymous";

/// Why nobody waits for an answer any more, or not much longer.
enum class Gone : std::uint8_t {
  Closed,    ///< the other side has closed its stream
  Draining,  ///< we end: what has an end of its own may still come to it
  Stopping,  ///< we end: an answer is still taken if it comes at once
};

class Peer;
/// Shared because a call that still runs answers long after its message was handed over.
using PeerPtr = std::shared_ptr<Peer>;

/// Where the answers to one message go. A pipe has one peer, HTTP has one for each request.
class Peer {
 public:
  virtual ~Peer() = default;
  /// Sends one message that is not the last about what was asked, or, on a pipe, any; does nothing
  /// once the other side is gone. `text`: one JSON object. Thread: any.
  virtual void Send(std::string_view text) = 0;
  /// Sends the last message about what was asked. `status`: HTTP's word for it, which a client
  /// sees where nothing was sent before. Thread: any.
  virtual void Answer(std::string_view text, int /*status*/) { Send(text); }
  /// The answer that follows refuses its caller, who was not granted all of `scopes`: HTTP says so
  /// too, and how to be granted them. Requires: called before Answer. Thread: any.
  virtual void LacksScopes(const std::vector<std::string>& /*scopes*/) {}
  /// There is nothing to answer. Thread: any.
  virtual void Drop() {}
  /// Returns whether a message can be sent that is not the last. Thread: any.
  virtual bool CanSend() const { return true; }
  /// What HTTP says beside the message; null on a pipe. Thread: any. Lifetime: the peer's.
  virtual const RequestHead* head() const { return nullptr; }
  /// Begins a session for the other side, which names it from its next message on. Returns its
  /// name; session() stays as it was. Requires: called once, before Answer. Errors: PoolFull where
  /// there are too many. Thread: any.
  virtual Result<std::string> OpenSession() { return session(); }
  /// Returns what reaches the session of this peer whenever we have something to say: the pipe
  /// itself, or over HTTP whatever stream the other side listens on, of the session that was named
  /// or has been opened. Null where there is no session. Thread: any.
  virtual PeerPtr Channel() { return nullptr; }
  /// Has `tell` called when the other side is gone before the answer, and when we end; at once if
  /// it is already. A pipe tells nothing: its session ends. `tell` must not block, and may be
  /// called more than once. Requires: called once at most.
  /// Thread: any, and so is the thread of `tell`.
  // NOLINTNEXTLINE(performance-unnecessary-value-param): those that override it keep it
  virtual void WhenGone(std::function<void(Gone)> /*tell*/) {}
  /// The present request has no end of its own: it is answered when the other side leaves, or when
  /// it is told that we end. Thread: any.
  virtual void StaysOpen() {}
  /// Names what the peer's messages have in common: the pipe, or the HTTP session; empty where
  /// there is no such thing. Thread: any. Lifetime: the peer's.
  virtual const std::string& session() const = 0;
  /// Who is behind it. Thread: any. Lifetime: the peer's.
  virtual const Principal& principal() const = 0;
  /// Takes `work` and runs it on the thread that hands over the present message, once another
  /// thread listens in its place; or refuses it, and the caller finds it a thread. This spares a
  /// call the wake-up of a sleeping thread. Requires: called from within Handler::OnMessage.
  virtual bool TakesOver(const std::function<void()>& /*work*/) { return false; }
};

/// How a session came to its end.
enum class Ending : std::uint8_t {
  InputEnded,    ///< the other side has said all it wants to say, and may still listen
  OutputClosed,  ///< the other side does not listen any more
  Interrupted,   ///< the operating system asks us to end
  Deleted,       ///< the other side wants no more of it, or has not been heard of for long
};

/// Takes messages. Thread: one transport may call from several threads, but one session's messages
/// come in order and one at a time.
class Handler {
 public:
  virtual ~Handler() = default;
  /// `text`: not blank, at most the transport's bound, not checked in any other way. Must not block
  /// on the work that it asks for. Lifetime: `text` is good until the return.
  virtual void OnMessage(std::string_view text, const PeerPtr& peer) = 0;
  /// A message was longer than `bytes_max` and was skipped unread.
  virtual void OnOversized(std::size_t bytes_max, const PeerPtr& peer) = 0;
  /// The other side of `session` has come back to its stream, and not all that was said meanwhile
  /// has been kept for it.
  virtual void OnMissed(const std::string& /*session*/) {}
  /// The session is over. Returns when its calls have ended, or after a bounded time; at once where
  /// it was deleted.
  virtual void OnClose(const std::string& session, Ending ending) = 0;
};

/// Thread: owner.
class Transport {
 public:
  virtual ~Transport() = default;
  /// Serves until the other side or the operating system ends it. Lifetime: keeps no reference to
  /// `handler` after the return.
  virtual Result<Ending> Run(Handler& handler) = 0;
};

}  // namespace schemaward::transport
