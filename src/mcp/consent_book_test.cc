// COVERS: R-MCP-5
#include "mcp/consent_book.h"

#include <gtest/gtest.h>

namespace schemaward::mcp {
namespace {

using std::chrono::microseconds;

constexpr microseconds kGood{1'000'000};

TEST(ConsentBook, HasPlacesForSoManyAndTakesThemBack) {
  ConsentBook book(2);
  const auto first = book.Wait();
  ASSERT_TRUE(first);
  {
    const auto second = book.Wait();
    EXPECT_TRUE(second);
    EXPECT_FALSE(book.Wait());
    EXPECT_FALSE(book.Wait());  // a refusal takes no place
  }
  const auto third = book.Wait();
  EXPECT_TRUE(third);
  EXPECT_FALSE(book.Wait());
}

TEST(ConsentBook, AStateIsUsedOnce) {
  ConsentBook book(1);
  const microseconds now{5'000'000};
  EXPECT_TRUE(book.Use("a", now, now, kGood));
  EXPECT_FALSE(book.Use("a", now, now, kGood));
  EXPECT_TRUE(book.Use("b", now, now, kGood));  // of the same moment
  EXPECT_FALSE(book.Use("a", now, now + kGood, kGood));
  EXPECT_FALSE(book.Use("b", now, now + kGood, kGood));
}

TEST(ConsentBook, RemembersSoManyAndForgetsThoseThatAreNoLongerGood) {
  ConsentBook book(1);
  const microseconds now{5'000'000};
  for (std::size_t i = 0; i < kConsentsUsedMax; ++i)
    ASSERT_TRUE(book.Use(std::to_string(i), now, now, kGood));
  EXPECT_FALSE(book.Use("one more", now, now, kGood));
  EXPECT_FALSE(book.Use("one more", now, now + kGood, kGood));
  const microseconds later = now + kGood + microseconds(1);
  EXPECT_TRUE(book.Use("one more", later, later, kGood));
}

}  // namespace
}  // namespace schemaward::mcp
