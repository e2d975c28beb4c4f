#include "base/text_distance.h"

#include <gtest/gtest.h>

namespace schemaward {
namespace {

TEST(EditDistance, CountsEditsAndSwaps) {
  struct Case {
    const char* a;
    const char* b;
    std::size_t expected;
  };
  const Case cases[] = {{"", "", 0},
                        {"a", "", 1},
                        {"orders", "orders", 0},
                        {"orders", "order", 1},
                        {"orders", "odrers", 1},
                        {"orders", "ordres", 1},
                        {"abcd", "badc", 2},
                        {"kitten", "sitting", 3}};
  for (const Case& c : cases) EXPECT_EQ(EditDistance(c.a, c.b), c.expected) << c.a << " " << c.b;
}

TEST(EditDistance, StopsAtItsLimit) {
  EXPECT_EQ(EditDistance("kitten", "sitting", 3), 3u);
  EXPECT_EQ(EditDistance("kitten", "sitting", 2), 3u);
  EXPECT_EQ(EditDistance("a", "abcdef", 2), 3u);
}

}  // namespace
}  // namespace schemaward
