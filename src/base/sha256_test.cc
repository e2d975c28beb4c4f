#include "base/sha256.h"

#include <gtest/gtest.h>

namespace schemaward {
namespace {

// Source: FIPS 180-4 examples, NIST CSRC.
TEST(Sha256, AgreesWithThePublishedVectors) {
  EXPECT_EQ(Sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256Hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Sha256, GivesTheSameForPiecesAndStartsAnewAfterFinish) {
  Sha256 hasher;
  hasher.Update("a").Update("").Update("bc");
  EXPECT_EQ(ToHex(BytesOf(hasher.Finish())), Sha256Hex("abc"));
  EXPECT_EQ(ToHex(BytesOf(hasher.Finish())), Sha256Hex(""));
}

TEST(Sha256, WritesBytesAsHex) { EXPECT_EQ(ToHex(std::string_view("\x00\x7f\xff", 3)), "007fff"); }

}  // namespace
}  // namespace schemaward
