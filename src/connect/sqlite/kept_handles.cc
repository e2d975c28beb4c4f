#include "connect/sqlite/kept_handles.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace schemaward::connect::sqlite_engine {

using std::chrono::steady_clock;

KeptHandles::~KeptHandles() {
  std::jthread sweeper;
  {
    MutexLock lock(mutex_);
    sweeper = std::move(sweeper_);
  }
  sweeper.request_stop();
  changed_.notify_all();
}

std::optional<Handle> KeptHandles::Take(const std::string& path, const FileState& now) {
  std::vector<Idle> stale;  // closed outside of the lock
  MutexLock lock(mutex_);
  const auto of_another_state = std::stable_partition(
      idle_.begin(), idle_.end(),
      [&](const Idle& idle) { return idle.handle.path != path || idle.handle.file == now; });
  stale.assign(std::make_move_iterator(of_another_state), std::make_move_iterator(idle_.end()));
  idle_.erase(of_another_state, idle_.end());
  const auto latest = std::find_if(idle_.rbegin(), idle_.rend(),
                                   [&](const Idle& idle) { return idle.handle.path == path; });
  if (latest == idle_.rend()) return std::nullopt;
  Handle taken = std::move(latest->handle);
  idle_.erase(std::next(latest).base());
  return taken;
}

void KeptHandles::Keep(Handle handle) {
  std::optional<Idle> oldest;  // closed outside of the lock
  MutexLock lock(mutex_);
  idle_.push_back({std::move(handle), steady_clock::now()});
  if (idle_.size() > kKeptMax) {
    oldest = std::move(idle_.front());
    idle_.erase(idle_.begin());
  }
  if (!sweeper_.joinable())
    sweeper_ = std::jthread([this](const std::stop_token& quit) { Sweep(quit); });
  if (sweeper_rests_) changed_.notify_all();
}

void KeptHandles::CloseAll() {
  std::vector<Idle> closed;  // outside of the lock
  MutexLock lock(mutex_);
  closed.swap(idle_);
}

std::size_t KeptHandles::count() const {
  MutexLock lock(mutex_);
  return idle_.size();
}

void KeptHandles::Sweep(const std::stop_token& quit) {
  while (!quit.stop_requested()) {
    std::vector<Idle> expired;  // closed outside of the lock
    MutexLock lock(mutex_);
    if (idle_.empty()) {
      sweeper_rests_ = true;
      changed_.wait(mutex_, quit,
                    [this]() WARD_TS(no_thread_safety_analysis) { return !idle_.empty(); });
      sweeper_rests_ = false;
    } else {
      changed_.wait_until(mutex_, quit, idle_.front().since + idle_max_, [] { return false; });
    }
    const auto now = steady_clock::now();
    const auto fresh = std::find_if(idle_.begin(), idle_.end(),
                                    [&](const Idle& idle) { return now - idle.since < idle_max_; });
    expired.assign(std::make_move_iterator(idle_.begin()), std::make_move_iterator(fresh));
    idle_.erase(idle_.begin(), fresh);
  }
}

}  // namespace schemaward::connect::sqlite_engine
