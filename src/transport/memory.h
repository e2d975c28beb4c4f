#pragma once

// A transport without a process on the other side: for tests and fuzzers.

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "transport/lines.h"
#include "transport/transport.h"

namespace schemaward::transport {

/// Keeps what is sent. Thread: any.
class MemoryPeer final : public Peer, public std::enable_shared_from_this<MemoryPeer> {
 public:
  explicit MemoryPeer(std::string session = "memory", Principal principal = {});

  void Send(std::string_view text) override;
  const std::string& session() const override { return session_; }
  const Principal& principal() const override { return principal_; }
  PeerPtr Channel() override { return shared_from_this(); }

  /// Takes the oldest message, waiting for it up to `patience`.
  std::optional<std::string> Next(std::chrono::milliseconds patience);
  /// Takes all that has been sent.
  std::vector<std::string> All();

 private:
  const std::string session_;
  const Principal principal_;
  Mutex mutex_;
  CondVar sent_;
  std::deque<std::string> messages_ GUARDED_BY(mutex_);
};

/// One session with `handler`, cut into lines as stdio is. Thread: owner. Lifetime: the handler
/// outlives it.
class Memory final : private LineSink {
 public:
  explicit Memory(Handler& handler, std::size_t message_bytes_max = kMessageBytesMax,
                  Principal principal = {});

  /// Hands over one message.
  void Say(std::string_view message);
  /// Hands over bytes as a pipe would, in pieces of any size.
  void SayBytes(std::string_view bytes) { lines_.Feed(bytes); }
  /// Takes the next answer, waiting for it up to `patience`.
  std::optional<std::string> Hear(std::chrono::milliseconds patience = std::chrono::seconds(10)) {
    return peer_->Next(patience);
  }
  /// Takes the answers that are there.
  std::vector<std::string> HearAll() { return peer_->All(); }
  /// Ends the session.
  void Close(Ending ending = Ending::InputEnded);

 private:
  void OnLine(std::string_view line) override { handler_.OnMessage(line, peer_); }
  void OnLongLine() override { handler_.OnOversized(message_bytes_max_, peer_); }

  Handler& handler_;
  std::size_t message_bytes_max_;
  std::shared_ptr<MemoryPeer> peer_;
  LineSplitter lines_;
};

}  // namespace schemaward::transport
