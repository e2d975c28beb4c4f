#include "app/http_rate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schemaward::app {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(HttpRate, ABurstIsTakenAndThenSoManyASecond) {
  FakeClock clock;
  HttpRate rate(2, 3, clock);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(rate.Take("a"), std::nullopt);
  EXPECT_EQ(rate.Take("a"), seconds(1));
  clock.Advance(milliseconds(499));
  EXPECT_EQ(rate.Take("a"), seconds(1));
  clock.Advance(milliseconds(1));
  EXPECT_EQ(rate.Take("a"), std::nullopt);
  EXPECT_EQ(rate.Take("a"), seconds(1));
}

TEST(HttpRate, WhatIsNotUsedIsSavedUpToTheBurst) {
  FakeClock clock;
  HttpRate rate(100, 2, clock);
  EXPECT_EQ(rate.Take("a"), std::nullopt);
  clock.Advance(seconds(60));
  EXPECT_EQ(rate.Take("a"), std::nullopt);
  EXPECT_EQ(rate.Take("a"), std::nullopt);
  EXPECT_NE(rate.Take("a"), std::nullopt);
}

TEST(HttpRate, EachCallerHasItsOwn) {
  FakeClock clock;
  HttpRate rate(1, 1, clock);
  EXPECT_EQ(rate.Take("a"), std::nullopt);
  EXPECT_NE(rate.Take("a"), std::nullopt);
  EXPECT_EQ(rate.Take("b"), std::nullopt);
}

TEST(HttpRate, ZeroIsNoLimitAndRemembersNobody) {
  FakeClock clock;
  HttpRate rate(0, 0, clock);
  for (int i = 0; i < 1'000; ++i) EXPECT_EQ(rate.Take("a"), std::nullopt);
  EXPECT_EQ(rate.PrincipalCount(), 0U);
}

TEST(HttpRate, TheOneNotHeardOfForLongestIsForgotten) {
  FakeClock clock;
  HttpRate rate(1, 1, clock);
  for (std::size_t i = 0; i < kRatePrincipalsMax; ++i) rate.Take(std::to_string(i));
  EXPECT_NE(rate.Take("0"), std::nullopt);  // heard of again
  EXPECT_EQ(rate.Take("more"), std::nullopt);
  EXPECT_EQ(rate.PrincipalCount(), kRatePrincipalsMax);
  EXPECT_NE(rate.Take("0"), std::nullopt);
  EXPECT_EQ(rate.Take("1"), std::nullopt);  // forgotten: its bucket is full again
}

}  // namespace
}  // namespace schemaward::app
