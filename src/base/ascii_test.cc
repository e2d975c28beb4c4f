#include "base/ascii.h"

#include <gtest/gtest.h>

namespace schemaward {
namespace {

TEST(Ascii, LowersCapitalsOnly) {
  EXPECT_EQ(LowerAscii("AZaz09_ NUMERIC(10,2)"), "azaz09_ numeric(10,2)");
  EXPECT_EQ(LowerAscii(""), "");
}

// The neighbours of A and Z, the bytes of a capital with an accent, and a zero byte.
TEST(Ascii, KeepsEveryOtherByte) {
  using std::string_view_literals::operator""sv;
  constexpr std::string_view kKept = "@[`{\xC3\x84\xFF\0\x7F"sv;
  EXPECT_EQ(LowerAscii(kKept), kKept);
}

TEST(Ascii, ComparesWithoutCase) {
  EXPECT_TRUE(EqualsIgnoringAsciiCase("Order_ID", "oRDER_id"));
  EXPECT_TRUE(EqualsIgnoringAsciiCase("", ""));
  EXPECT_FALSE(EqualsIgnoringAsciiCase("order", "orders"));
  EXPECT_FALSE(EqualsIgnoringAsciiCase("orders", "order"));
  EXPECT_FALSE(EqualsIgnoringAsciiCase("\xC3\x84", "\xC3\xA4"));
}

}  // namespace
}  // namespace schemaward
