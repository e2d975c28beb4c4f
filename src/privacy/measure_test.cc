#include "privacy/measure.h"

#include <fstream>
#include <iostream>
#include <sstream>

#include <gtest/gtest.h>

#include "base/result_matchers.h"

namespace schemaward::privacy {
namespace {

std::vector<LabelledColumn> Corpus() {
  std::ifstream file(WARD_SOURCE_DIR "/tests/privacy/columns.tsv");
  std::stringstream text;
  text << file.rdbuf();
  const auto columns = ReadLabelled(text.str());
  return columns ? *columns : std::vector<LabelledColumn>();
}

TEST(Measure, CountsByCategory) {
  const auto columns = ReadLabelled(
      "half\tlanguage\ttable\tcolumn\ttype\tcategory\n"
      "dev\ten\tusers\temail\ttext\tcontact\n"
      "dev\ten\tusers\tphone\ttext\t-\n"
      "held\ten\tusers\tqqq\ttext\thealth\n");
  ASSERT_TRUE(columns);
  const Measured dev = Measure(*columns, "dev");
  EXPECT_EQ(dev.columns, 2);
  EXPECT_EQ(dev.by_category[0].right, 1);
  EXPECT_EQ(dev.by_category[0].wrong, 1);
  EXPECT_DOUBLE_EQ(dev.All().Precision(), 0.5);
  EXPECT_DOUBLE_EQ(Measure(*columns, "held").All().Recall(), 0.0);
  EXPECT_EQ(Measure(*columns, "").mistakes.size(), 2U);
}

TEST(Measure, RefusesLinesThatAreNoLabel) {
  EXPECT_FALSE(ReadLabelled("dev\ten\tusers\temail\ttext\tsomething\n"));
  EXPECT_FALSE(ReadLabelled("dev\ten\tusers\n"));
}

// The bounds are what was measured, less a little: a rule that spoils the rest shows here.
TEST(Corpus, HalvesAreClassifiedAsMeasured) {
  const auto columns = Corpus();
  ASSERT_GE(columns.size(), 1'500U);
  for (const char* half : {"dev", "held"}) {
    const Measured measured = Measure(columns, half);
    std::cout << half << '\n' << ToText(measured);
    EXPECT_GE(measured.All().Precision(), 0.97) << half;
    EXPECT_GE(measured.All().Recall(), 0.95) << half;
  }
}

TEST(Corpus, DevelopmentHalfMissesNothingOfTheFloor) {
  const Measured measured = Measure(Corpus(), "dev");
  ASSERT_GT(measured.columns, 0);
  for (std::size_t i = 0; i < kCategoryCount; ++i)
    if (IsFloor(static_cast<Category>(i))) {
      EXPECT_EQ(measured.by_category[i].missed, 0) << NameOf(static_cast<Category>(i));
    }
}

}  // namespace
}  // namespace schemaward::privacy
