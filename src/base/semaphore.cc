#include "base/semaphore.h"

#include <cassert>
#include <cerrno>

namespace schemaward {

Semaphore::Semaphore() {
  [[maybe_unused]] const int failed = sem_init(&count_, 0, 0);
  assert(failed == 0 && "a semaphore of this process begins at zero");
}

Semaphore::~Semaphore() { sem_destroy(&count_); }

void Semaphore::Post() {
  [[maybe_unused]] const int failed = sem_post(&count_);
  assert(failed == 0 && "more was posted than an int counts");
}

void Semaphore::Wait() {
  while (sem_wait(&count_) != 0 && errno == EINTR) {
  }
}

}  // namespace schemaward
