#include "transport/memory.h"

#include <utility>

namespace schemaward::transport {

MemoryPeer::MemoryPeer(std::string session, Principal principal)
    : session_(std::move(session)), principal_(std::move(principal)) {}

void MemoryPeer::Send(std::string_view text) {
  {
    const MutexLock lock(mutex_);
    messages_.emplace_back(text);
  }
  sent_.notify_all();
}

std::optional<std::string> MemoryPeer::Next(std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  const MutexLock lock(mutex_);
  while (messages_.empty()) {
    if (sent_.wait_until(mutex_, until) == std::cv_status::timeout && messages_.empty())
      return std::nullopt;
  }
  std::string message = std::move(messages_.front());
  messages_.pop_front();
  return message;
}

std::vector<std::string> MemoryPeer::All() {
  const MutexLock lock(mutex_);
  std::vector<std::string> all(messages_.begin(), messages_.end());
  messages_.clear();
  return all;
}

Memory::Memory(Handler& handler, std::size_t message_bytes_max, Principal principal)
    : handler_(handler),
      message_bytes_max_(message_bytes_max),
      peer_(std::make_shared<MemoryPeer>("memory", std::move(principal))),
      lines_(message_bytes_max, *this) {}

void Memory::Say(std::string_view message) {
  lines_.Feed(message);
  lines_.Feed("\n");
}

void Memory::Close(Ending ending) {
  if (ending == Ending::InputEnded) lines_.End();
  handler_.OnClose(peer_->session(), ending);
}

}  // namespace schemaward::transport
