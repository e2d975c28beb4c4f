// Every rule against its own examples, and where findings stand.
#include "review/review.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schemaward::review {
namespace {

std::vector<std::string> IdsOf(const Review& review) {
  std::vector<std::string> ids;
  for (const Finding& finding : review.findings) ids.emplace_back(finding.rule->id);
  return ids;
}

// The rules, with the one under test switched on.
std::vector<Rule> RulesFor(const std::string& id) {
  std::vector<Rule> rules = AllRules();
  for (Rule& one : rules)
    if (one.id == id && one.level == Level::Off) one.level = Level::Warn;
  return rules;
}

std::vector<std::string> AllIds() {
  std::vector<std::string> ids;
  for (const Rule& rule : AllRules()) ids.emplace_back(rule.id);
  return ids;
}

class Rules : public ::testing::TestWithParam<std::string> {};

TEST_P(Rules, FindTheBadExampleOnceAndNothingInTheGood) {
  const std::vector<Rule> rules = RulesFor(GetParam());
  const Rule& rule = *std::find_if(rules.begin(), rules.end(),
                                   [](const Rule& one) { return one.id == GetParam(); });
  const sql::Dialect& dialect = *sql::FindDialect(rule.dialect);
  EXPECT_THAT(IdsOf(ReviewScript(rule.bad, dialect, rules)),
              ::testing::ElementsAre(std::string(rule.id)))
      << rule.bad;
  const auto good = IdsOf(ReviewScript(rule.good, dialect, rules));
  EXPECT_THAT(good, ::testing::IsEmpty()) << rule.good;
}

INSTANTIATE_TEST_SUITE_P(Each, Rules, ::testing::ValuesIn(AllIds()), [](const auto& each) {
  std::string name = each.param;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

TEST(RuleList, HasEveryCategoryAndEachIdOnce) {
  std::set<std::string_view> ids, categories;
  for (const Rule& rule : AllRules()) {
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    categories.insert(Word(rule.category));
    EXPECT_FALSE(rule.title.empty() || rule.message.empty() || rule.why.empty()) << rule.id;
  }
  EXPECT_GE(ids.size(), 70U);
  EXPECT_EQ(categories.size(), 10U);
}

TEST(Review, SaysWhereThroughCommentsAndQuotes) {
  const std::string_view text =
      "-- DELETE FROM t\nSELECT ';\xC3\xA9' AS x;\n/* a\nb */ DELETE\n  FROM t;";
  const std::vector<Rule> rules = AllRules();
  const Review review = ReviewScript(text, sql::Postgres(), rules);
  ASSERT_EQ(review.findings.size(), 1U);
  EXPECT_EQ(review.findings[0].statement, 2U);
  EXPECT_EQ(review.findings[0].range, (Range{4, 6, 4, 12}));
}

TEST(Review, ColumnsCountCharacters) {
  const std::vector<Rule> rules = AllRules();
  const Review review =
      ReviewScript("SELECT '\xC3\xA9' AS x, a = NULL AS y FROM t", sql::Postgres(), rules);
  ASSERT_EQ(review.findings.size(), 1U);
  EXPECT_EQ(review.findings[0].range, (Range{1, 18, 1, 26}));
}

TEST(Review, ABrokenStatementIsAFindingAndTheOthersAreReviewed) {
  const std::vector<Rule> rules = AllRules();
  const Review review = ReviewScript("SELECT FROM; DELETE FROM t", sql::Postgres(), rules);
  EXPECT_THAT(IdsOf(review), ::testing::ElementsAre("syntax-error", "delete-without-where"));
}

TEST(Review, FindingsAreBoundedAndCounted) {
  std::string text;
  for (int i = 0; i < 4'900; ++i) text += "DELETE FROM t; ";
  text += "SELECT a = NULL";
  for (int i = 0; i < 200; ++i) text += ", a = NULL";
  const std::vector<Rule> rules = AllRules();
  const Review review = ReviewScript(text, sql::Postgres(), rules);
  EXPECT_EQ(review.findings.size(), kFindingsMax);
  EXPECT_EQ(review.left_out, 101U);
}

}  // namespace
}  // namespace schemaward::review
