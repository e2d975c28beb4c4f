#include "mcp/caller_limit.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schemaward::mcp {
namespace {

TEST(CallerLimit, ACallerAtItsBoundIsRefusedUntilACallOfItEnds) {
  CallerLimit limit(2);
  auto first = limit.Enter("p");
  const auto second = limit.Enter("p");
  EXPECT_NE(second, nullptr);
  EXPECT_EQ(limit.Enter("p"), nullptr);
  EXPECT_NE(limit.Enter("q"), nullptr) << "another's calls are its own";
  first.reset();
  EXPECT_NE(limit.Enter("p"), nullptr);
}

TEST(CallerLimit, WhoHasNoCallIsForgotten) {
  CallerLimit limit(1);
  { const auto place = limit.Enter("p"); }
  EXPECT_EQ(limit.PrincipalCount(), 0u);
}

TEST(CallerLimit, NoughtIsNoLimit) {
  CallerLimit limit(0);
  std::vector<std::unique_ptr<CallerLimit::Place>> places;
  for (int i = 0; i < 1'000; ++i) places.push_back(limit.Enter("p"));
  EXPECT_THAT(places, ::testing::Each(::testing::NotNull()));
}

}  // namespace
}  // namespace schemaward::mcp
