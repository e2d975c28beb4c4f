#pragma once

// The way back of one request: straight to its peer, or into the array that answers a batch.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "transport/transport.h"

namespace schemaward::mcp {

/// Collects the answers of a batch and sends them as one array when each message has had its say.
/// Thread: any.
class Batch {
 public:
  Batch(transport::PeerPtr peer, std::size_t message_count);
  /// One message is done with. `answer`: empty where it has none.
  void Add(std::string_view answer);

 private:
  const transport::PeerPtr peer_;
  Mutex mutex_;
  std::size_t missing_ GUARDED_BY(mutex_);
  std::string array_ GUARDED_BY(mutex_) = "[";
};

/// Copyable; all copies mean the same request. Send or Drop is called once, on one of them.
/// Thread: any.
class Reply {
 public:
  explicit Reply(transport::PeerPtr peer, std::shared_ptr<Batch> batch = nullptr)
      : peer_(std::move(peer)), batch_(std::move(batch)) {}
  /// Gives the answer. `status`: HTTP's word for it; a batch has its own.
  void Send(std::string_view answer, int status = transport::kStatusOk) const;
  /// See Peer::LacksScopes; a batch has a status of its own.
  void LacksScopes(const std::vector<std::string>& scopes) const {
    if (batch_ == nullptr) peer_->LacksScopes(scopes);
  }
  /// There will be no answer.
  void Drop() const;
  /// Sends a notification about the request, at once.
  void Notify(std::string_view notification) const { peer_->Send(notification); }
  /// Gives `work` to the thread that handed over the message; see Peer::TakesOver.
  bool TakesOver(const std::function<void()>& work) const { return peer_->TakesOver(work); }
  /// See Peer::WhenGone; the messages of a batch are not told.
  void WhenGone(std::function<void(transport::Gone)> tell) const {
    if (batch_ == nullptr) peer_->WhenGone(std::move(tell));
  }
  /// See Peer::OpenSession.
  Result<std::string> OpenSession() const { return peer_->OpenSession(); }
  const transport::Peer& peer() const { return *peer_; }
  /// What takes the messages of this request. Lifetime: shared.
  const transport::PeerPtr& shared_peer() const { return peer_; }
  /// See Peer::Channel.
  transport::PeerPtr Channel() const { return peer_->Channel(); }

 private:
  transport::PeerPtr peer_;
  std::shared_ptr<Batch> batch_;  // shared by the messages of one batch
};

}  // namespace schemaward::mcp
