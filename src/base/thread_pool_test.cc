#include "base/thread_pool.h"

#include <atomic>
#include <future>
#include <memory>
#include <set>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"

namespace schemaward {
namespace {

// Holds tasks until it is opened.
class Gate {
 public:
  void Open() { promise_.set_value(); }
  std::function<void()> Waiter(std::atomic<int>& started) {
    return [this, &started] {
      ++started;
      future_.wait();
    };
  }

 private:
  std::promise<void> promise_;
  std::shared_future<void> future_ = promise_.get_future().share();
};

void WaitFor(const std::atomic<int>& value, int wanted) {
  while (value.load() < wanted) std::this_thread::yield();
}

TEST(ThreadPool, HasAtLeastFourThreadsAndStartsNoneByItself) {
  const ThreadPool pool;
  EXPECT_GE(pool.threads_max(), 4U);
  EXPECT_EQ(pool.ThreadCount(), 0U);
}

TEST(ThreadPool, RunsEveryTaskBeforeStopReturns) {
  std::atomic<int> done = 0;
  ThreadPool pool({.threads = 3, .queue_max = 1000});
  for (int i = 0; i < 1000; ++i) ASSERT_THAT(pool.Submit([&] { ++done; }), IsOk());
  pool.Stop();
  EXPECT_EQ(done, 1000);
}

TEST(ThreadPool, StartsThreadsOneByOneAsWorkNeedsThem) {
  std::atomic<int> started = 0;
  Gate gate;
  ThreadPool pool({.threads = 4, .queue_max = 8});
  for (int i = 1; i <= 3; ++i) {
    ASSERT_THAT(pool.Submit(gate.Waiter(started)), IsOk());
    WaitFor(started, i);
    EXPECT_EQ(pool.ThreadCount(), static_cast<std::size_t>(i));
  }
  gate.Open();
}

TEST(ThreadPool, RunsAsManySideBySideAsItHasThreads) {
  std::atomic<int> started = 0;
  Gate gate;
  ThreadPool pool({.threads = 4, .queue_max = 8});
  for (int i = 0; i < 4; ++i) ASSERT_THAT(pool.Submit(gate.Waiter(started)), IsOk());
  WaitFor(started, 4);
  EXPECT_EQ(pool.ThreadCount(), 4U);
  gate.Open();
}

// A burst wakes one thread, and each that wakes the next: tasks that wait for one another all run.
TEST(ThreadPool, WakesEverySleepingThreadThatABurstNeeds) {
  ThreadPool pool({.threads = 4, .queue_max = 8});
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> started = 0;
    std::atomic<int> ended = 0;
    Gate gate;
    const auto wait = gate.Waiter(started);
    for (int i = 0; i < 4; ++i)
      ASSERT_THAT(pool.Submit([&] {
        wait();
        ++ended;
      }),
                  IsOk());
    WaitFor(started, 4);
    gate.Open();
    WaitFor(ended, 4);
  }
  EXPECT_EQ(pool.ThreadCount(), 4U);
}

TEST(ThreadPool, AnswersFullOnePastTheQueueBoundAndTakesWorkAgainAfterwards) {
  std::atomic<int> started = 0;
  Gate gate;
  ThreadPool pool({.threads = 1, .queue_max = 2});
  ASSERT_THAT(pool.Submit(gate.Waiter(started)), IsOk());
  WaitFor(started, 1);
  ASSERT_THAT(pool.Submit([] {}), IsOk());
  std::promise<void> drained;
  ASSERT_THAT(pool.Submit([&] { drained.set_value(); }), IsOk());
  const Status full = pool.Submit([] {});
  EXPECT_THAT(full, IsError(ErrorKind::PoolFull, "every worker is busy and the queue is full"));
  EXPECT_THAT(full.error().retry_after_ms(), ::testing::Optional(::testing::Gt(0)));
  gate.Open();
  drained.get_future().wait();
  EXPECT_THAT(pool.Submit([] {}), IsOk());
}

TEST(ThreadPool, WithoutAQueueTakesWhatAThreadIsFreeFor) {
  std::atomic<int> started = 0;
  Gate gate;
  ThreadPool pool({.threads = 1, .queue_max = 0});
  ASSERT_THAT(pool.Submit(gate.Waiter(started)), IsOk());
  WaitFor(started, 1);
  EXPECT_THAT(pool.Submit([] {}), IsError(ErrorKind::PoolFull));
  gate.Open();
}

TEST(ThreadPool, SurvivesATaskThatThrows) {
  std::promise<int> after;
  ThreadPool pool({.threads = 1, .queue_max = 8});
  ASSERT_THAT(pool.Submit([] { throw std::runtime_error("oops"); }), IsOk());
  ASSERT_THAT(pool.Submit([] { throw 1; }), IsOk());
  ASSERT_THAT(pool.Submit([&] { after.set_value(7); }), IsOk());
  EXPECT_EQ(after.get_future().get(), 7);
}

TEST(ThreadPool, TakesNothingAfterStopAndStopsTwice) {
  ThreadPool pool({.threads = 2, .queue_max = 8});
  ASSERT_THAT(pool.Submit([] {}), IsOk());
  pool.Stop();
  pool.Stop();
  EXPECT_THAT(pool.Submit([] {}), IsError(ErrorKind::Cancelled, "the program is ending"));
}

TEST(ThreadPool, DestroysWhatATaskHoldsOnceItHasRun) {
  auto held = std::make_shared<int>(1);
  std::weak_ptr<int> seen = held;
  ThreadPool pool({.threads = 1, .queue_max = 8});
  ASSERT_THAT(pool.Submit([held] { (void)held; }), IsOk());
  held.reset();
  pool.Stop();
  EXPECT_TRUE(seen.expired());
}

}  // namespace
}  // namespace schemaward
