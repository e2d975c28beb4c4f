#include "base/thread_pool.h"

#include <algorithm>
#include <exception>
#include <system_error>
#include <utility>

#include "base/log.h"

namespace schemaward {
namespace {

constexpr std::size_t kThreadsMin = 4;
constexpr std::size_t kThreadsPerCore = 2;  // half of them wait for an engine at any time
constexpr std::int64_t kRetryAfterMs = 200;

std::size_t DefaultThreads() {
  return std::max(kThreadsMin, kThreadsPerCore * std::thread::hardware_concurrency());
}

Error Full() {
  return std::move(Error(ErrorKind::PoolFull, "every worker is busy and the queue is full")
                       .RetryAfter(kRetryAfterMs));
}

// A task that throws is a fault of ours: the pool survives it.
void RunGuarded(const std::function<void()>& task) {
  try {
    task();
  } catch (const std::exception& e) {
    log::Write(log::Level::Error, "", "task_threw", e.what());
  } catch (...) {
    log::Write(log::Level::Error, "", "task_threw", "not a std::exception");
  }
}

}  // namespace

ThreadPool::ThreadPool() : ThreadPool(Options{}) {}

ThreadPool::ThreadPool(Options options) : options_(options) {
  if (options_.threads == 0) options_.threads = DefaultThreads();
}

ThreadPool::~ThreadPool() { Stop(); }

Status ThreadPool::Submit(std::function<void()> task) {
  bool wakes = false;
  {
    const MutexLock lock(mutex_);
    if (stopping_) return Error(ErrorKind::Cancelled, "the program is ending");
    const bool needs_thread = queue_.size() >= idle_ && threads_.size() < options_.threads;
    const bool has_none = needs_thread && !StartThread() && threads_.empty();
    if (has_none || queue_.size() >= options_.queue_max + idle_) return Full();
    queue_.push_back(std::move(task));
    wakes = MustWake();
  }
  if (wakes) waking_.Post();  // without the lock, which the thread that wakes takes first
  return Ok();
}

// One thread at a time is on its way from its sleep to the queue; what it leaves there it wakes the
// next one for. So tasks that come in a burst do not each cost a call to the system, and none waits
// while a thread sleeps.
bool ThreadPool::MustWake() {
  if (queue_.empty() || sleeping_ == 0 || is_one_waking_) return false;
  is_one_waking_ = true;
  return true;
}

// The new thread counts as idle from the start, so that the next Submit does not start one for the
// same task.
bool ThreadPool::StartThread() {
  try {
    threads_.emplace_back([this] { Work(); });
  } catch (const std::system_error& e) {
    log::Write(log::Level::Error, "", "thread_not_started", e.what());
    return false;
  }
  ++idle_;
  return true;
}

void ThreadPool::Work() {
  const MutexLock lock(mutex_);
  while (true) {
    while (queue_.empty() && !stopping_) Sleep();
    if (queue_.empty()) return;
    std::function<void()> task = std::move(queue_.front());
    queue_.pop_front();
    --idle_;
    const bool wakes = MustWake();
    mutex_.Unlock();
    if (wakes) waking_.Post();
    RunGuarded(task);
    task = nullptr;  // what the task holds is gone before the thread counts as idle
    mutex_.Lock();
    ++idle_;
  }
}

void ThreadPool::Sleep() {
  ++sleeping_;
  mutex_.Unlock();
  waking_.Wait();
  mutex_.Lock();
  --sleeping_;
  is_one_waking_ = false;
}

void ThreadPool::Stop() {
  std::vector<std::thread> ending;
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    ending.swap(threads_);
  }
  for (std::size_t i = 0; i < ending.size(); ++i) waking_.Post();
  for (std::thread& thread : ending) thread.join();
}

std::size_t ThreadPool::ThreadCount() const {
  const MutexLock lock(mutex_);
  return threads_.size();
}

}  // namespace schemaward
