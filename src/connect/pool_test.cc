#include "connect/pool.h"

#include <atomic>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "connect/fake/fake_engine.h"

namespace schemaward::connect {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

catalog::Database Database(const char* fingerprint) {
  catalog::Database database;
  database.name = "db";
  database.fingerprint = fingerprint;
  return database;
}

class PoolTest : public ::testing::Test {
 protected:
  std::unique_ptr<Pool> Make(PoolOptions options = {.connections_max = 2,
                                                    .acquire_max = milliseconds(20)}) {
    EnginePtr engine = std::make_shared<FakeEngine>(source_);
    return std::make_unique<Pool>(OpenerOf(engine,
                                           [this](CallContext& /*ctx*/) -> Result<Target> {
                                             ++resolved_;
                                             return Target{"fake", "here", "secret"};
                                           }),
                                  clock_, options);
  }

  std::shared_ptr<FakeSource> source_ = std::make_shared<FakeSource>(Database("1"));
  FakeClock clock_;
  CallContext ctx_{clock_};
  std::atomic<int> resolved_ = 0;
};

Status Lost() { return Error(ErrorKind::SourceUnreachable, "the session was lost"); }

TEST_F(PoolTest, OpensNothingUntilItIsNeeded) {
  auto pool = Make();
  EXPECT_EQ(source_->calls(FakeCall::Open), 0);
  ASSERT_THAT(pool->Acquire(ctx_), IsOk());
  EXPECT_EQ(source_->calls(FakeCall::Open), 1);
}

TEST_F(PoolTest, LendsTheSameSessionAgain) {
  auto pool = Make();
  for (int i = 0; i < 3; ++i) ASSERT_THAT(pool->Acquire(ctx_), IsOk());
  EXPECT_EQ(source_->calls(FakeCall::Open), 1);
  EXPECT_EQ(pool->idle_count(), 1u);
}

TEST_F(PoolTest, OpensOneForEachCallUpToItsBound) {
  auto pool = Make();
  auto first = pool->Acquire(ctx_);
  auto second = pool->Acquire(ctx_);
  ASSERT_THAT(second, IsOk());
  EXPECT_EQ(pool->open_count(), 2u);
  auto third = pool->Acquire(ctx_);
  ASSERT_THAT(third, IsError(ErrorKind::PoolFull, HasSubstr("busy")));
  EXPECT_GT(third.error().retry_after_ms().value_or(0), 0);
  EXPECT_EQ(source_->calls(FakeCall::Open), 2);
}

TEST_F(PoolTest, LendsToAWaitingCallWhatComesBack) {
  auto pool = Make({.connections_max = 1, .acquire_max = milliseconds(10'000)});
  auto held = std::make_unique<Result<Pool::Lease>>(pool->Acquire(ctx_));
  std::jthread waiter([&] {
    CallContext ctx(clock_);
    EXPECT_THAT(pool->Acquire(ctx), IsOk());
  });
  held.reset();
  waiter.join();
  EXPECT_EQ(source_->calls(FakeCall::Open), 1);
}

TEST_F(PoolTest, StopsWaitingWhenTheCallerGivesUp) {
  auto pool = Make({.connections_max = 1, .acquire_max = milliseconds(60'000)});
  auto held = pool->Acquire(ctx_);
  std::stop_source stop;
  std::jthread waiter([&] {
    CallContext ctx(clock_);
    ctx.stop = stop.get_token();
    EXPECT_THAT(pool->Acquire(ctx), IsError(ErrorKind::Cancelled));
  });
  stop.request_stop();
}

TEST_F(PoolTest, TellsHowItStands) {
  auto pool = Make({.connections_max = 1, .acquire_max = milliseconds(60'000)});
  EXPECT_EQ(pool->state().connections_max, 1u);
  EXPECT_EQ(pool->state().open, 0u);
  auto held = std::make_unique<Result<Pool::Lease>>(pool->Acquire(ctx_));
  std::jthread waiter([&] {
    CallContext ctx(clock_);
    EXPECT_THAT(pool->Acquire(ctx), IsOk());
  });
  while (pool->state().waiting == 0) std::this_thread::yield();
  EXPECT_EQ(pool->state().open, 1u);
  EXPECT_EQ(pool->state().idle, 0u);
  held.reset();
  waiter.join();
  EXPECT_EQ(pool->state().waiting, 0u);
  EXPECT_EQ(pool->state().idle, 1u);
}

TEST_F(PoolTest, WaitsNoLongerThanTheDeadline) {
  auto pool = Make({.connections_max = 1, .acquire_max = milliseconds(60'000)});
  auto held = pool->Acquire(ctx_);
  SystemClock system;
  CallContext ctx(system);
  ctx.deadline = Deadline::After(system, milliseconds(20));
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(pool->Acquire(ctx), IsError(ErrorKind::PoolFull));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds(10'000));
}

TEST_F(PoolTest, DropsABrokenSession) {
  auto pool = Make();
  {
    auto lease = pool->Acquire(ctx_);
    source_->FailNth(FakeCall::Ping, 1, Lost().error());
    EXPECT_THAT((*lease)->Ping(ctx_), IsError(ErrorKind::SourceUnreachable));
  }
  EXPECT_EQ(pool->open_count(), 0u);
  EXPECT_EQ(source_->open_sessions(), 0);
  ASSERT_THAT(pool->Acquire(ctx_), IsOk());
  EXPECT_EQ(source_->calls(FakeCall::Open), 2);
}

TEST_F(PoolTest, ResolvesTheSecretAtEachConnect) {
  auto pool = Make();
  auto first = pool->Acquire(ctx_);
  auto second = pool->Acquire(ctx_);
  EXPECT_EQ(resolved_, 2);
}

TEST_F(PoolTest, FreesItsSlotWhenOpeningFails) {
  auto pool = Make({.connections_max = 1, .acquire_max = milliseconds(20)});
  source_->FailNth(FakeCall::Open, 1, Lost().error());
  EXPECT_THAT(pool->Acquire(ctx_), IsError(ErrorKind::SourceUnreachable));
  EXPECT_EQ(pool->open_count(), 0u);
  EXPECT_THAT(pool->Acquire(ctx_), IsOk());
}

TEST_F(PoolTest, PingsAnIdleSessionBeforeItIsLentAgain) {
  auto pool = Make();
  ASSERT_THAT(pool->Acquire(ctx_), IsOk());
  ASSERT_THAT(pool->Acquire(ctx_), IsOk());
  EXPECT_EQ(source_->calls(FakeCall::Ping), 0);
  clock_.Advance(milliseconds(1'001));
  ASSERT_THAT(pool->Acquire(ctx_), IsOk());
  EXPECT_EQ(source_->calls(FakeCall::Ping), 1);
}

TEST_F(PoolTest, OutlivesARestartOfTheServer) {
  auto pool = Make();
  {
    auto first = pool->Acquire(ctx_);
    auto second = pool->Acquire(ctx_);
  }
  source_->EndSessions();
  clock_.Advance(milliseconds(1'001));
  auto lease = pool->Acquire(ctx_);
  ASSERT_THAT(lease, IsOk());
  EXPECT_THAT((*lease)->Fingerprint(ctx_), IsOkAnd(std::string("1")));
  EXPECT_EQ(source_->open_sessions(), 1);  // the idle neighbour went too
}

TEST_F(PoolTest, LendsNoSessionThatIsKnownToHaveEnded) {
  auto pool = Make();
  { auto used = pool->Acquire(ctx_); }
  source_->EndSessions();
  auto lease = pool->Acquire(ctx_);  // used a moment ago: it would be lent without a ping
  ASSERT_THAT(lease, IsOk());
  EXPECT_THAT((*lease)->Fingerprint(ctx_), IsOkAnd(std::string("1")));
  EXPECT_EQ(source_->calls(FakeCall::Open), 2);
}

TEST_F(PoolTest, KeepsASessionWhosePingFailedForAnotherReason) {
  auto pool = Make();
  ASSERT_THAT(pool->Acquire(ctx_), IsOk());
  clock_.Advance(milliseconds(1'001));
  source_->FailNth(FakeCall::Ping, 1, Error(ErrorKind::PermissionDenied, "no"));
  EXPECT_THAT(pool->Acquire(ctx_), IsError(ErrorKind::PermissionDenied));
  EXPECT_EQ(pool->idle_count(), 1u);
}

TEST_F(PoolTest, RepeatsWhatMayRunTwiceOnceAfterALoss) {
  auto pool = Make();
  source_->FailNth(FakeCall::Fingerprint, 1, Lost().error());
  EXPECT_THAT(
      pool->Repeatable(ctx_, [&](Connector& connector) { return connector.Fingerprint(ctx_); }),
      IsOkAnd(std::string("1")));
  EXPECT_EQ(source_->calls(FakeCall::Fingerprint), 2);
  source_->FailNth(FakeCall::Fingerprint, 1, Lost().error());
  source_->FailNth(FakeCall::Fingerprint, 2, Lost().error());
  EXPECT_THAT(
      pool->Repeatable(ctx_, [&](Connector& connector) { return connector.Fingerprint(ctx_); }),
      IsError(ErrorKind::SourceUnreachable));
  EXPECT_EQ(source_->calls(FakeCall::Fingerprint), 4);
}

TEST_F(PoolTest, DoesNotRepeatWhatFailedForAnotherReason) {
  auto pool = Make();
  source_->FailNth(FakeCall::Fingerprint, 1, Error(ErrorKind::StatementTimeout, "too long"));
  EXPECT_THAT(
      pool->Repeatable(ctx_, [&](Connector& connector) { return connector.Fingerprint(ctx_); }),
      IsError(ErrorKind::StatementTimeout));
  EXPECT_EQ(source_->calls(FakeCall::Fingerprint), 1);
}

TEST_F(PoolTest, ClosesSessionsThatAreIdleForTooLong) {
  auto pool = Make();
  ASSERT_THAT(pool->Acquire(ctx_), IsOk());
  clock_.Advance(milliseconds(60'000));
  pool->CloseIdle();
  EXPECT_EQ(source_->open_sessions(), 1);
  clock_.Advance(milliseconds(1));
  pool->CloseIdle();
  EXPECT_EQ(source_->open_sessions(), 0);
  EXPECT_EQ(pool->open_count(), 0u);
}

TEST_F(PoolTest, ClosesLentSessionsWhenTheyComeBackAfterItsEnd) {
  auto pool = Make();
  {
    auto lease = pool->Acquire(ctx_);
    ASSERT_THAT(pool->Acquire(ctx_), IsOk());
    pool->Close();
    EXPECT_EQ(source_->open_sessions(), 1);
    EXPECT_THAT(pool->Acquire(ctx_), IsError(ErrorKind::Internal));
  }
  EXPECT_EQ(source_->open_sessions(), 0);
  pool->Close();
}

TEST_F(PoolTest, WakesAWaitingCallWhenItIsClosed) {
  auto pool = Make({.connections_max = 1, .acquire_max = milliseconds(60'000)});
  auto held = pool->Acquire(ctx_);
  std::jthread waiter([&] {
    CallContext ctx(clock_);
    EXPECT_THAT(pool->Acquire(ctx), IsError(ErrorKind::Internal));
  });
  while (pool->state().waiting == 0) std::this_thread::yield();
  pool->Close();
}

TEST_F(PoolTest, IsSharedByManyThreadsWithinItsBound) {
  auto pool = Make({.connections_max = 3, .acquire_max = milliseconds(60'000)});
  std::atomic<int> used = 0;
  std::atomic<int> most = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([&] {
        SystemClock system;
        for (int i = 0; i < 100; ++i) {
          CallContext ctx(system);
          auto lease = pool->Acquire(ctx);
          ASSERT_THAT(lease, IsOk());
          const int now = ++used;
          int seen = most;
          while (seen < now && !most.compare_exchange_weak(seen, now)) {
          }
          EXPECT_THAT((*lease)->Ping(ctx), IsOk());
          --used;
        }
      });
  }
  EXPECT_LE(most, 3);
  EXPECT_LE(source_->calls(FakeCall::Open), 3);
  EXPECT_EQ(pool->idle_count(), pool->open_count());
}

TEST_F(PoolTest, HealsWhileManyThreadsUseIt) {
  auto pool = Make(
      {.connections_max = 3, .acquire_max = milliseconds(60'000), .trusted_max = milliseconds(0)});
  std::atomic<int> failures = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        SystemClock system;
        for (int i = 0; i < 50; ++i) {
          CallContext ctx(system);
          if (!pool->Repeatable(ctx,
                                [&](Connector& connector) { return connector.Fingerprint(ctx); }))
            ++failures;
        }
      });
    source_->EndSessions();
  }
  EXPECT_EQ(failures, 0);
  EXPECT_LE(pool->open_count(), 3u);
  EXPECT_EQ(static_cast<std::size_t>(source_->open_sessions()), pool->open_count());
}

}  // namespace
}  // namespace schemaward::connect
