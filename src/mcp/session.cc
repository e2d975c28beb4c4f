#include "mcp/session.h"

#include <utility>
#include <vector>

namespace schemaward::mcp {

void Session::Negotiate(Negotiated negotiated) {
  const MutexLock lock(mutex_);
  negotiated_ = std::move(negotiated);
}

std::optional<Negotiated> Session::negotiated() const {
  const MutexLock lock(mutex_);
  return negotiated_;
}

std::optional<std::stop_token> Session::Begin(const std::string& id) {
  const MutexLock lock(mutex_);
  if (present_ >= kRunningMax) return std::nullopt;
  const auto [place, is_new] = running_.try_emplace(id);
  if (!is_new) return std::nullopt;
  ++present_;
  return place->second.stop.get_token();
}

bool Session::Finish(const std::string& id) {
  const MutexLock lock(mutex_);
  const auto found = running_.find(id);
  if (found == running_.end()) return false;
  const bool may_send = !found->second.is_silenced;
  running_.erase(found);
  return may_send;
}

void Session::Left() {
  {
    const MutexLock lock(mutex_);
    --present_;
  }
  idle_.notify_all();
}

bool Session::MaySpeak(const std::string& id) const {
  const MutexLock lock(mutex_);
  const auto found = running_.find(id);
  return found != running_.end() && !found->second.is_silenced;
}

void Session::Cancel(const std::string& id) { End(id, true); }

void Session::Stop(const std::string& id) { End(id, false); }

void Session::End(const std::string& id, bool is_silenced) {
  std::optional<std::stop_source> stop;
  {
    const MutexLock lock(mutex_);
    const auto found = running_.find(id);
    if (found == running_.end()) return;
    found->second.is_silenced |= is_silenced;
    stop.emplace(found->second.stop);
  }
  stop->request_stop();  // outside the lock: stop callbacks run here
}

void Session::StopAll() {
  std::vector<std::stop_source> stops;
  {
    const MutexLock lock(mutex_);
    for (const auto& [id, running] : running_) stops.push_back(running.stop);
  }
  for (std::stop_source& stop : stops) stop.request_stop();
}

bool Session::WaitIdle(std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  const MutexLock lock(mutex_);
  while (present_ > 0) {
    if (idle_.wait_until(mutex_, until) == std::cv_status::timeout) return present_ == 0;
  }
  return true;
}

}  // namespace schemaward::mcp
