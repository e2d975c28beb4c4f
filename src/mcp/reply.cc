#include "mcp/reply.h"

namespace schemaward::mcp {

Batch::Batch(transport::PeerPtr peer, std::size_t message_count)
    : peer_(std::move(peer)), missing_(message_count) {}

void Batch::Add(std::string_view answer) {
  std::string whole;
  {
    const MutexLock lock(mutex_);
    if (!answer.empty()) {
      if (array_.size() > 1) array_ += ',';
      array_ += answer;
    }
    if (--missing_ > 0 || array_.size() == 1) return;
    whole = std::move(array_);
  }
  whole += ']';
  peer_->Send(whole);
}

void Reply::Send(std::string_view answer) const {
  if (batch_ == nullptr) return peer_->Send(answer);
  batch_->Add(answer);
}

void Reply::Drop() const {
  if (batch_ != nullptr) batch_->Add({});
}

}  // namespace schemaward::mcp
