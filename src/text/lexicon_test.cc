#include "text/lexicon.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/stemmer.h"
#include "text/words.h"

namespace schemaward::text {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::uint8_t Percent(const Lexicon& lexicon, std::string_view from, std::string_view to) {
  for (const auto& synonym : lexicon.SynonymsOf(from)) {
    if (synonym.word == to) return synonym.percent;
  }
  return 0;
}

TEST(Lexicon, ListsSynonymsBothWays) {
  const Lexicon lexicon;
  EXPECT_GT(Percent(lexicon, "client", "customer"), 0);
  EXPECT_GT(Percent(lexicon, "customer", "client"), 0);
  EXPECT_THAT(lexicon.SynonymsOf("zyzzyva"), IsEmpty());
}

TEST(Lexicon, HoldsAbbreviationsForStrongerThanSynonyms) {
  const Lexicon lexicon;
  EXPECT_GT(Percent(lexicon, "usr", "user"), Percent(lexicon, "client", "customer"));
  EXPECT_EQ(Percent(lexicon, "addr", "address"), Percent(lexicon, "address", "addr"));
  EXPECT_EQ(lexicon.SynonymsOf("quantity").front().word, "qty");
}

TEST(Lexicon, HintsGoOneWay) {
  const Lexicon lexicon;
  EXPECT_GT(Percent(lexicon, "oldest", "age"), 0);
  EXPECT_EQ(Percent(lexicon, "age", "oldest"), 0);
}

TEST(Lexicon, ListsEachSynonymOnce) {
  const Lexicon lexicon;
  int same = 0;
  for (const auto& synonym : lexicon.SynonymsOf("department")) same += synonym.word == "division";
  EXPECT_EQ(same, 1);
}

TEST(Lexicon, KnowsStopWords) {
  const Lexicon lexicon;
  EXPECT_TRUE(lexicon.IsStopWord("which"));
  EXPECT_FALSE(lexicon.IsStopWord("order"));
}

TEST(Lexicon, TakesCompoundsApart) {
  const Lexicon lexicon;
  EXPECT_THAT(lexicon.Segment("countrylanguage"), ElementsAre("country", "language"));
  EXPECT_THAT(lexicon.Segment("orderitems"), ElementsAre("order", "item"));
  EXPECT_THAT(lexicon.Segment("customerorderline"), ElementsAre("customer", "order", "line"));
  EXPECT_THAT(lexicon.Segment("customer"), IsEmpty());
  EXPECT_THAT(lexicon.Segment("warehouse"), IsEmpty());
  EXPECT_THAT(lexicon.Segment("xqzorders"), IsEmpty());
  EXPECT_THAT(lexicon.Segment(""), IsEmpty());
  EXPECT_THAT(lexicon.Segment("\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"), IsEmpty());
}

// A plural or an upper-case letter in the text would never be found.
TEST(Lexicon, IsWrittenFoldedAndSingular) {
  std::string_view text = LexiconText();
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || std::string_view("=~>+").find(line[0]) == std::string_view::npos) continue;
    for (const auto& word : SplitWords(line)) EXPECT_EQ(word, Singular(word)) << line;
  }
}

TEST(Stemmer, JoinsFormsOfAWord) {
  const Stemmer stemmer;
  EXPECT_EQ(stemmer.Stem("enrolled"), stemmer.Stem("enroll"));
  EXPECT_EQ(stemmer.Stem("teaches"), stemmer.Stem("teaching"));
  EXPECT_NE(stemmer.Stem("order"), stemmer.Stem("product"));
  EXPECT_EQ(stemmer.Stem(""), "");
  EXPECT_EQ(stemmer.Stem("running"),
            "run");  // the bytes themselves: what stemmer.cc declares fits the library
}

}  // namespace
}  // namespace schemaward::text
