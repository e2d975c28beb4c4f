#pragma once

// A mutex that clang's thread-safety analysis understands; g++ ignores the marks.

#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define WARD_TS(x) __attribute__((x))
#else
#define WARD_TS(x)
#endif
#define GUARDED_BY(x) WARD_TS(guarded_by(x))
#define REQUIRES(...) WARD_TS(requires_capability(__VA_ARGS__))
#define EXCLUDES(...) WARD_TS(locks_excluded(__VA_ARGS__))

namespace schemaward {

/// std::mutex with marks.
class WARD_TS(capability("mutex")) Mutex {
 public:
  void Lock() WARD_TS(acquire_capability()) { mutex_.lock(); }
  void Unlock() WARD_TS(release_capability()) { mutex_.unlock(); }
  // The two names that std::condition_variable_any asks for.
  void lock() WARD_TS(acquire_capability()) {
    mutex_.lock();
  }  // NOLINT(readability-identifier-naming)
  void unlock() WARD_TS(release_capability()) {
    mutex_.unlock();
  }  // NOLINT(readability-identifier-naming)

 private:
  std::mutex mutex_;
};

/// Holds a Mutex for a scope.
class WARD_TS(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) WARD_TS(acquire_capability(mutex)) : mutex_(mutex) {
    mutex_.Lock();
  }
  ~MutexLock() WARD_TS(release_capability()) { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

/// Waits on a Mutex that is held by a MutexLock.
using CondVar = std::condition_variable_any;

}  // namespace schemaward
