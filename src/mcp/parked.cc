#include "mcp/parked.h"

#include <utility>

#include <fmt/format.h>

#include "mcp/client_wait.h"

namespace schemaward::mcp {

Result<std::string> ParkedCalls::Enter(const Session* session) {
  const MutexLock lock(mutex_);
  if (is_closed_) return ClientHasGone();
  std::string ticket = fmt::format("{}", ++last_);
  waiting_.emplace(ticket, Entry{session, {}, false});
  return ticket;
}

Result<ComeBack> ParkedCalls::Await(const std::string& ticket, CallContext& ctx) {
  ClientWait wait(mutex_, changed_, ctx);
  const MutexLock lock(mutex_);
  const auto found = waiting_.find(ticket);
  while (true) {
    if (found->second.back) {
      ComeBack back = *std::exchange(found->second.back, std::nullopt);
      if (!back.answer_json.empty()) waiting_.erase(found);
      return back;
    }
    const Status alive = found->second.is_over ? Status(ClientHasGone()) : wait.Next(mutex_);
    if (!alive) {
      waiting_.erase(found);
      return alive.error();
    }
  }
}

bool ParkedCalls::Take(const std::string& ticket, const ComeBack& back) {
  {
    const MutexLock lock(mutex_);
    const auto found = waiting_.find(ticket);
    if (found == waiting_.end() || found->second.back || found->second.is_over) return false;
    found->second.back = back;
  }
  changed_.notify_all();
  return true;
}

void ParkedCalls::EndOf(const Session* session) {
  {
    const MutexLock lock(mutex_);
    for (auto& [ticket, entry] : waiting_)
      if (entry.session == session) entry.is_over = true;
  }
  changed_.notify_all();
}

void ParkedCalls::EndAll() {
  {
    const MutexLock lock(mutex_);
    is_closed_ = true;
    for (auto& [ticket, entry] : waiting_) entry.is_over = true;
  }
  changed_.notify_all();
}

}  // namespace schemaward::mcp
