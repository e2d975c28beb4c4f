#include "base/cut.h"

#include <gtest/gtest.h>

#include "base/one_line.h"

namespace schemaward {
namespace {

TEST(Cut, KeepsWhatFits) {
  EXPECT_EQ(HeadOf("", 0), "");
  EXPECT_EQ(HeadOf("abc", 3), "abc");
  EXPECT_EQ(CutText("abc", 3), "abc");
  EXPECT_EQ(CutText("abcd", 3), "abc...");
}

TEST(Cut, CutsAtACharactersStart) {
  const std::string text = "a\xC3\xA4\xE2\x82\xAC";  // of one, two and three bytes
  EXPECT_EQ(HeadOf(text, 1), "a");
  EXPECT_EQ(HeadOf(text, 2), "a");
  EXPECT_EQ(HeadOf(text, 3), "a\xC3\xA4");
  EXPECT_EQ(HeadOf(text, 5), "a\xC3\xA4");
  EXPECT_EQ(HeadOf(text, 6), text);
  EXPECT_EQ(CutText("a\xC3\xBC", 2), "a...");
  EXPECT_EQ(CutText(text, 4), "a\xC3\xA4...");
}

TEST(OneLine, HasNoControlsAndCutsNoCharacter) {
  EXPECT_EQ(OneLine("a\n- b\tc\x7f\x01", 20), "a - b c  ");
  EXPECT_EQ(OneLine("a\u0085b\u009B31mc\u2028d\u202Ee\u2066f", 40), "a b 31mc d e f");
  EXPECT_EQ(OneLine("\u00A0\u00E4\u2013\u2014\xC2", 40), "\u00A0\u00E4\u2013\u2014\xC2");
  EXPECT_EQ(OneLine("abc\xC3\xA4", 4), "abc");
  EXPECT_EQ(OneLine("abc\xC3\xA4", 5), "abc\xC3\xA4");
}

TEST(TidyLine, JoinsBlanksAndHasNoneAtItsEnds) {
  EXPECT_EQ(TidyLine(" A\n\n person.\t ", 20), "A person.");
  EXPECT_EQ(TidyLine("ab c", 3), "ab");
  EXPECT_EQ(TidyLine("ab\xC3\xA4", 3), "ab");
  EXPECT_EQ(TidyLine(" \n ", 20), "");
}

TEST(Cut, OfContinuationsAloneNothingIsLeft) { EXPECT_EQ(CutText("\x80\x80\x80", 2), "..."); }

}  // namespace
}  // namespace schemaward
