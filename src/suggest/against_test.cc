#include "suggest/against.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"

namespace schemaward::suggest {
namespace {

using ::testing::ElementsAre;

TEST(Against, CountsWhatIsInBothButForCase) {
  const auto expected = ReadLinks(R"({"from":["s.A","X_ID"],"to":["s.b","id"],"more":1}

{"from":["s.a","y"],"to":["s.c","id"]}
)");
  ASSERT_TRUE(expected.has_value());
  const AgainstReport report =
      Compare({{"s.a", "x_id", "s.b", "id"}, {"s.\"q\"", "z", "s.b", "id"}}, *expected);
  EXPECT_EQ(report.right, 1);
  EXPECT_DOUBLE_EQ(report.precision, 0.5);
  EXPECT_DOUBLE_EQ(report.recall, 0.5);
  EXPECT_THAT(report.false_joins, ElementsAre("s.q(z) -> s.b(id)"));
  EXPECT_THAT(report.missed, ElementsAre("s.a(y) -> s.c(id)"));
}

TEST(Against, NothingFoundIsNoPrecision) {
  const AgainstReport report = Compare({}, {{"s.a", "x", "s.b", "id"}});
  EXPECT_DOUBLE_EQ(report.precision, 0);
  EXPECT_DOUBLE_EQ(report.recall, 0);
}

TEST(Against, NamesTheLineThatIsNone) {
  const auto links = ReadLinks("{\"from\":[\"a.b\",\"c\"],\"to\":[\"a.d\",\"e\"]}\n{\"from\":1}\n");
  ASSERT_FALSE(links.has_value());
  EXPECT_EQ(links.error().kind(), ErrorKind::InvalidArgument);
  EXPECT_THAT(links.error().message(), ::testing::HasSubstr("line 2"));
}

}  // namespace
}  // namespace schemaward::suggest
