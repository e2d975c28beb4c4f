#pragma once

// A count that threads wait for, of POSIX.

#include <semaphore.h>

namespace schemaward {

/// Counts what may be taken. Beside a CondVar it wakes one thread by one call to the system, and
/// none where nobody waits; std::counting_semaphore of libstdc++ 12 can sleep through a release
/// (GCC bug 104928). Thread: any.
class Semaphore {
 public:
  Semaphore();
  ~Semaphore();
  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;

  /// Adds one; a thread that waits takes it.
  void Post();
  /// Takes one, and waits while there is none.
  void Wait();

 private:
  sem_t count_;
};

}  // namespace schemaward
