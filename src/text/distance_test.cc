#include "text/distance.h"

#include <gtest/gtest.h>

namespace schemaward::text {
namespace {

TEST(EditDistance, CountsEditsAndSwapsOfNeighbours) {
  const struct {
    const char32_t *a, *b;
    std::uint32_t edits;
  } cases[] = {
      {U"", U"", 0},
      {U"", U"abc", 3},
      {U"abc", U"", 3},
      {U"orders", U"orders", 0},
      {U"oders", U"orders", 1},
      {U"ordesr", U"orders", 1},
      {U"kitten", U"sitting", 3},
      {U"ca", U"abc", 3},
  };
  for (const auto& c : cases) EXPECT_EQ(EditDistance(c.a, c.b, 10), c.edits);
}

TEST(EditDistance, StopsAtItsLimit) {
  EXPECT_GT(EditDistance(U"abcdef", U"ghijkl", 2), 2U);
  EXPECT_GT(EditDistance(U"a", U"abcdef", 2), 2U);
  EXPECT_EQ(EditDistance(U"abcd", U"abxy", 2), 2U);
  EXPECT_EQ(EditDistance(U"same", U"same", 0), 0U);
  EXPECT_GT(EditDistance(U"same", U"sane", 0), 0U);
}

TEST(EditCost, RanksDoubledLettersAndDigits) {
  EXPECT_EQ(EditCost(U"adress", U"address", 100), 8U);
  EXPECT_EQ(EditCost(U"letter", U"leter", 100), 8U);
  EXPECT_EQ(EditCost(U"v1", U"v2", 100), 13U);
  EXPECT_EQ(EditCost(U"va", U"vb", 100), 10U);
  EXPECT_EQ(EditCost(U"va", U"vb", UINT32_MAX), 10U);
}

// A band that is too narrow would show as a limit that changes the answer.
TEST(EditCost, DoesNotDependOnALimitThatItMeets) {
  const std::u32string_view words[] = {U"order_item", U"item_order", U"ordr_itm", U"orders", U"o"};
  for (const auto a : words) {
    for (const auto b : words) {
      const auto cost = EditCost(a, b, 1000);
      EXPECT_EQ(EditCost(a, b, cost), cost);
      if (cost > 0) {
        EXPECT_GT(EditCost(a, b, cost - 1), cost - 1);
      }
    }
  }
}

}  // namespace
}  // namespace schemaward::text
