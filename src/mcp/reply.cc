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
    if (--missing_ > 0) return;
    whole = std::move(array_);
  }
  if (whole.size() == 1) return peer_->Drop();  // notifications alone
  whole += ']';
  peer_->Answer(whole, transport::kStatusOk);
}

void Reply::Send(std::string_view answer, int status) const {
  if (batch_ == nullptr) return peer_->Answer(answer, status);
  batch_->Add(answer);
}

void Reply::Drop() const {
  if (batch_ == nullptr) return peer_->Drop();
  batch_->Add({});
}

}  // namespace schemaward::mcp
