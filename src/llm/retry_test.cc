#include "llm/retry.h"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"

namespace schemaward::llm {
namespace {

using std::chrono::milliseconds;
using ::testing::Optional;

TEST(RetryableStatus, IsTheListAndTheFaultsOfServers) {
  for (const int status : {408, 409, 425, 429, 499, 500, 502, 503, 504, 529, 599})
    EXPECT_TRUE(IsRetryableStatus(status)) << status;
  for (const int status : {200, 301, 400, 401, 403, 404, 413, 422, 501, 505, 600})
    EXPECT_FALSE(IsRetryableStatus(status)) << status;
}

TEST(Delay, GrowsAndIsSpread) {
  const RetryPolicy policy;
  EXPECT_THAT(DelayBefore(policy, 1, {}, 0.5), Optional(milliseconds(1'000)));
  EXPECT_THAT(DelayBefore(policy, 2, {}, 0.5), Optional(milliseconds(2'000)));
  EXPECT_THAT(DelayBefore(policy, 1, {}, 0.0), Optional(milliseconds(750)));
  EXPECT_THAT(DelayBefore(policy, 1, {}, 1.0), Optional(milliseconds(1'250)));
}

TEST(Delay, EndsWithTheTries) {
  const RetryPolicy policy;
  EXPECT_NE(DelayBefore(policy, 4, {}, 0.5), std::nullopt);
  EXPECT_EQ(DelayBefore(policy, 5, {}, 0.5), std::nullopt);
}

TEST(Delay, IsBounded) {
  RetryPolicy policy;
  policy.tries_max = 100;
  EXPECT_THAT(DelayBefore(policy, 60, {}, 0.999), Optional(policy.longest));
}

TEST(Delay, IsAtLeastWhatTheServiceAsksFor) {
  const RetryPolicy policy;
  EXPECT_THAT(DelayBefore(policy, 1, milliseconds(9'000), 0.5), Optional(milliseconds(9'000)));
  EXPECT_THAT(DelayBefore(policy, 1, milliseconds(5), 0.5), Optional(milliseconds(1'000)));
  EXPECT_THAT(DelayBefore(policy, 1, policy.asked_max, 0.5), Optional(policy.asked_max));
  EXPECT_EQ(DelayBefore(policy, 1, policy.asked_max + milliseconds(1), 0.5), std::nullopt);
}

TEST(Pause, EndsWithTheCall) {
  const SystemClock clock;
  CallContext ctx(clock);
  std::stop_source stop;
  ctx.stop = stop.get_token();
  const std::jthread stopper([&] { stop.request_stop(); });
  EXPECT_THAT(SystemPause()(std::chrono::hours(1), ctx),
              IsError(ErrorKind::Cancelled, ::testing::_));
}

TEST(Pause, EndsWithTheDeadline) {
  const SystemClock clock;
  CallContext ctx(clock);
  ctx.deadline = Deadline::After(clock, milliseconds(5));
  EXPECT_THAT(SystemPause()(std::chrono::hours(1), ctx),
              IsError(ErrorKind::DeadlineExceeded, ::testing::_));
}

TEST(Chance, IsBetweenZeroAndOne) {
  const Random random = SystemRandom();
  for (int i = 0; i < 100; ++i) {
    const double value = random();
    EXPECT_GE(value, 0);
    EXPECT_LT(value, 1);
  }
}

}  // namespace
}  // namespace schemaward::llm
