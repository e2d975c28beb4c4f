#include "mcp/parked.h"

#include <utility>

#include <fmt/format.h>

namespace schemaward::mcp {
namespace {

constexpr std::chrono::milliseconds kLookEvery{1'000};  // for a deadline by another clock

Error HasGone() {
  return Error(ErrorKind::SourceUnreachable, "the client has gone while it was asked");
}

}  // namespace

Result<std::string> ParkedCalls::Enter(const Session* session) {
  const MutexLock lock(mutex_);
  if (is_closed_) return HasGone();
  std::string ticket = fmt::format("{}", ++last_);
  waiting_.emplace(ticket, Entry{session, {}, false});
  return ticket;
}

Result<ComeBack> ParkedCalls::Await(const std::string& ticket, CallContext& ctx) {
  const std::stop_callback wake(ctx.stop, [this] {
    { const MutexLock lock(mutex_); }
    changed_.notify_all();
  });
  const auto until = std::chrono::steady_clock::now() + kAwayMax;
  const MutexLock lock(mutex_);
  const auto found = waiting_.find(ticket);
  while (true) {
    if (found->second.back) {
      ComeBack back = *std::exchange(found->second.back, std::nullopt);
      if (!back.answer_json.empty()) waiting_.erase(found);
      return back;
    }
    Status alive = ctx.Check();
    const auto now = std::chrono::steady_clock::now();
    if (alive && found->second.is_over) alive = HasGone();
    if (alive && now >= until)
      alive = Error(ErrorKind::SourceUnreachable, "the client did not come back in time");
    if (!alive) {
      waiting_.erase(found);
      return std::move(alive).error();
    }
    changed_.wait_until(
        mutex_, now + ctx.deadline.Left(ctx.clock, kLookEvery) + std::chrono::milliseconds(1));
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
