#pragma once

// A bounded pool of workers: calls run here, so that the threads that read and write the wire never
// block.

#include <cstddef>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "base/semaphore.h"

namespace schemaward {

/// Runs tasks in the order of their arrival on at most `threads` threads, each started when there
/// is work that no idle one can take.
/// Thread: any, but Stop and destruction are never called from a task.
class ThreadPool {
 public:
  struct Options {
    std::size_t threads = 0;      ///< 0: twice the cores, at least four
    std::size_t queue_max = 256;  ///< tasks that wait; what runs is not counted
  };
  ThreadPool();
  explicit ThreadPool(Options options);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Queues `task`. What it throws is caught and logged. Errors: PoolFull, with retry_after_ms,
  /// when the queue is full or no thread can be started; Cancelled after Stop.
  Status Submit(std::function<void()> task);

  /// Takes no more tasks, runs those that wait, and ends the threads. Safe to call twice.
  void Stop();

  std::size_t threads_max() const { return options_.threads; }
  /// Returns how many threads have been started.
  std::size_t ThreadCount() const;

 private:
  void Work();
  void Sleep() REQUIRES(mutex_);
  /// Returns whether waking_ is to be posted, which the caller then does without the lock.
  bool MustWake() REQUIRES(mutex_);
  bool StartThread() REQUIRES(mutex_);

  Options options_;
  mutable Mutex mutex_;
  Semaphore waking_;  // one for the thread that is to wake, and for each that is to end
  std::deque<std::function<void()>> queue_ GUARDED_BY(mutex_);
  std::vector<std::thread> threads_ GUARDED_BY(mutex_);
  std::size_t idle_ GUARDED_BY(mutex_) = 0;        // threads without a task, awake or not
  std::size_t sleeping_ GUARDED_BY(mutex_) = 0;    // of these, that wait for waking_
  bool is_one_waking_ GUARDED_BY(mutex_) = false;  // posted for, and not back at the queue yet
  bool stopping_ GUARDED_BY(mutex_) = false;
};

}  // namespace schemaward
