#include "base/hex.h"

#include <string>

#include <gtest/gtest.h>

#include "base/sha256.h"

namespace schemaward {
namespace {

TEST(FromHex, ReadsWhatToHexWrites) {
  const std::string bytes("\0\x7f\x80\xff a", 6);
  EXPECT_EQ(FromHex(ToHex(bytes)), bytes);
  EXPECT_EQ(FromHex(""), "");
}

TEST(FromHex, RefusesOtherTexts) {
  for (const char* text : {"0", "0g", "AB", "0x", "00 "}) EXPECT_EQ(FromHex(text), std::nullopt);
}

}  // namespace
}  // namespace schemaward
