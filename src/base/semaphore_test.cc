#include "base/semaphore.h"

#include <array>
#include <atomic>
#include <thread>

#include <gtest/gtest.h>

namespace schemaward {
namespace {

TEST(Semaphore, WhatWasPostedBeforeIsTakenWithoutWaiting) {
  Semaphore semaphore;
  semaphore.Post();
  semaphore.Post();
  semaphore.Wait();
  semaphore.Wait();
}

TEST(Semaphore, EachPostLetsOneThreadGoOn) {
  Semaphore semaphore;
  Semaphore gone_on;
  std::atomic<int> count = 0;
  std::array<std::thread, 3> threads;
  for (std::thread& thread : threads)
    thread = std::thread([&] {
      semaphore.Wait();
      ++count;
      gone_on.Post();
    });
  for (int i = 1; i <= 3; ++i) {
    semaphore.Post();
    gone_on.Wait();
    EXPECT_EQ(count, i);
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace schemaward
