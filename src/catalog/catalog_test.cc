#include "catalog/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schemaward::catalog {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// COVERS: R-NAME-1
TEST(Names, AreQuotedOnlyWhereTheyMustBe) {
  EXPECT_EQ(QuoteName("orders_2$"), "orders_2$");
  EXPECT_EQ(QuoteName("Orders"), "Orders");
  EXPECT_EQ(QuoteName("2orders"), "\"2orders\"");
  EXPECT_EQ(QuoteName("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(QuoteName("a.b"), "\"a.b\"");
  EXPECT_EQ(QualifiedName("public", "order items"), "public.\"order items\"");
}

TEST(Names, SplitAtDotsOutsideQuotes) {
  EXPECT_THAT(SplitName("a.b.c"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(SplitName("public.\"a.\"\"b\""), ElementsAre("public", "a.\"b"));
  EXPECT_THAT(SplitName("order items"), ElementsAre("order items"));
  EXPECT_THAT(SplitName(""), IsEmpty());
  EXPECT_THAT(SplitName("a."), IsEmpty());
  EXPECT_THAT(SplitName("a..b"), IsEmpty());
  EXPECT_THAT(SplitName("\"a"), IsEmpty());
  EXPECT_THAT(SplitName("a\"b"), IsEmpty());
}

}  // namespace
}  // namespace schemaward::catalog
