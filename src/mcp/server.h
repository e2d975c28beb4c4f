#pragma once

// The MCP server: takes what a transport hands over, finds the revision it is spoken in, and runs
// the method.

#include <atomic>
#include <cstddef>
#include <map>
#include <string>

#include "base/mutex.h"
#include "mcp/method.h"
#include "transport/transport.h"

namespace schemaward::mcp {

/// Speaks both eras at once: a request that names its revision in _meta is served by itself, one
/// that does not is served as the session's `initialize` settled. Quick methods answer on the
/// transport's thread, calls of tools on the pool.
/// Thread: any. Lifetime: invoker, pool and clock outlive it, and the pool is stopped before it
/// goes.
class Server final : public transport::Handler {
 public:
  Server(const tool::Invoker& invoker, ThreadPool& pool, const Clock& clock, ServerOptions options);

  void OnMessage(std::string_view text, const transport::PeerPtr& peer) override;
  void OnOversized(std::size_t bytes_max, const transport::PeerPtr& peer) override;
  /// Lets running calls finish for a bounded time, then stops them and waits a bounded time more;
  /// those of a session that was deleted are stopped and not waited for.
  void OnClose(const std::string& session, transport::Ending ending) override;

  void OnMissed(const std::string& session) override;

  /// What is worth looking for now; see ServerOptions::when_listened_to.
  Hearing hearing() const { return parts_.listeners.hearing(); }

  /// Tells whoever listens. Must not be called once the server goes.
  void Tell(const Change& change) { parts_.listeners.Tell(change); }

  /// Says it to sessions that asked for such messages. Must not be called once the server goes.
  void Log(const LogMessage& message) { parts_.listeners.Log(message); }

  /// No client will come back to a call that asked it something: such calls end now. Tasks, which
  /// no request waits for, have drain_max to end, then are stopped and waited for a bounded time
  /// more. Call it once the transport has ended, before the pool is waited for.
  void Leave();

  /// True when a session has ended and a call of it would not: whoever waits for the pool then
  /// waits for that call.
  bool HasLeftovers() const { return has_leftovers_; }

 private:
  SessionPtr SessionOf(const std::string& name);
  void Take(rpc::Message& message, const SessionPtr& session, const Reply& reply);
  void Serve(rpc::Request request, const SessionPtr& session, const Reply& reply);
  /// Remembers a session that has just been settled, where the peer is in none yet.
  Status Keep(const SessionPtr& session, const Reply& reply);

  Parts parts_;
  std::atomic<bool> has_leftovers_ = false;
  Mutex mutex_;
  std::map<std::string, SessionPtr> sessions_ GUARDED_BY(mutex_);
};

}  // namespace schemaward::mcp
