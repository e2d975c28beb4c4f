#include "base/clock.h"

#include <gtest/gtest.h>

#include "base/call_context.h"
#include "base/result_matchers.h"

namespace schemaward {
namespace {

using std::chrono::milliseconds;

TEST(Clock, PrintsIsoTime) {
  EXPECT_EQ(ToIsoUtc(0), "1970-01-01T00:00:00.000000Z");
  EXPECT_EQ(ToIsoUtc(1'767'225'600'000'001), "2026-01-01T00:00:00.000001Z");
  EXPECT_EQ(ToIsoUtc(-1), "1969-12-31T23:59:59.999999Z");
}

TEST(Deadline, PassesAtItsTime) {
  FakeClock clock;
  const Deadline deadline = Deadline::After(clock, milliseconds(10));
  EXPECT_FALSE(deadline.HasPassed(clock));
  EXPECT_EQ(deadline.Left(clock, milliseconds(5)), milliseconds(5));
  clock.Advance(milliseconds(10));
  EXPECT_TRUE(deadline.HasPassed(clock));
  EXPECT_EQ(deadline.Left(clock, milliseconds(5)), milliseconds(0));
  EXPECT_FALSE(Deadline().HasPassed(clock));
}

TEST(CallContext, SaysWhyACallMustEnd) {
  FakeClock clock;
  CallContext ctx(clock);
  EXPECT_THAT(ctx.Check(), IsOk());
  ctx.deadline = Deadline::After(clock, milliseconds(1));
  clock.Advance(milliseconds(1));
  EXPECT_THAT(ctx.Check(), IsError(ErrorKind::DeadlineExceeded));
  std::stop_source stop;
  ctx.stop = stop.get_token();
  stop.request_stop();
  EXPECT_THAT(ctx.Check(), IsError(ErrorKind::Cancelled));
}

}  // namespace
}  // namespace schemaward
