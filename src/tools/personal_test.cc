#include "tools/personal.h"

#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schemaward::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

catalog::Table People() {
  catalog::Table table;
  table.schema = "main";
  table.name = "people";
  for (const char* name : {"id", "email", "city"}) {
    table.columns.emplace_back();
    table.columns.back().name = name;
    table.columns.back().type = "text";
    table.columns.back().comment = "some words";
    table.columns.back().labels = {"a@b.example"};
  }
  table.unique_keys = {{"people_email_key", {"email"}}};
  table.indexes = {{"by_email", {"lower(email)"}, false, "", "email is not null"}};
  table.checks = {{"c1", "email LIKE '%@%'"}, {"c2", "city <> ''"}};
  table.foreign_keys.push_back({"", {"email"}, "main", "accounts", {"email"}, "", ""});
  return table;
}

TEST(WithHiddenNames, LeavesTheTableUnlessThePolicyHides) {
  EXPECT_EQ(WithHiddenNames(privacy::Policy(), People()), People());
}

TEST(WithHiddenNames, CallsBlockedColumnsByTheirPosition) {
  const privacy::Policy strict({}, privacy::Profile::Strict);
  const catalog::Table hidden = WithHiddenNames(strict, People());
  EXPECT_EQ(hidden.columns[1].name, "hidden_2");
  EXPECT_EQ(hidden.columns[1].comment, "");
  EXPECT_THAT(hidden.columns[1].labels, IsEmpty());
  EXPECT_EQ(hidden.columns[2].name, "city");
  EXPECT_THAT(hidden.unique_keys[0].columns, ElementsAre("hidden_2"));
  EXPECT_EQ(hidden.indexes[0].columns[0], "(expression)");
  EXPECT_FALSE(hidden.indexes[0].predicate);
  EXPECT_THAT(hidden.checks, SizeIs(1));
  EXPECT_THAT(hidden.foreign_keys, IsEmpty());
}

TEST(WithHiddenNames, KeepsWhatAHiddenColumnHolds) {
  const privacy::Policy strict({}, privacy::Profile::Strict);
  const catalog::Table hidden = WithHiddenNames(strict, People());
  const privacy::ColumnRule rule = strict.RuleOf(hidden, hidden.columns[1]);
  EXPECT_TRUE(rule.IsBlocked());
  EXPECT_THAT(rule.blocked, ElementsAre(privacy::Category::Contact));
}

TEST(ShowPersonal, SaysHowItIsKnown) {
  const catalog::Table people = People();
  const privacy::Policy policy;
  EXPECT_FALSE(ShowPersonal(policy.RuleOf(people, people.columns[2])));
  const auto shown = ShowPersonal(policy.RuleOf(people, people.columns[1]));
  ASSERT_TRUE(shown);
  EXPECT_THAT(shown->categories, ElementsAre("contact"));
  EXPECT_TRUE(shown->blocked);
  EXPECT_EQ(shown->known_by, "name");
  EXPECT_EQ(shown->confidence, tool::Confidence::Medium);
}

TEST(NamesBlockedColumn, ComparesWords) {
  const catalog::Table people = People();
  EXPECT_TRUE(NamesBlockedColumn(privacy::Policy(), people, "length(email) > 3"));
  EXPECT_TRUE(NamesBlockedColumn(privacy::Policy(), people, "EMail <> 'a@b'"));  // as it was typed
  EXPECT_FALSE(NamesBlockedColumn(privacy::Policy(), people, "emails > 3"));
  EXPECT_FALSE(NamesBlockedColumn(privacy::Policy(), people, "city = 'x'"));
}

TEST(NamesBlockedColumn, KnowsANameInItsQuotes) {
  constexpr std::pair<const char*, const char*> kRows[] = {
      {"e\"mail", "\"e\"\"mail\" <> 'a@b'"},
      {"e`mail", "`e``mail` <> 'a@b'"},
      {"e]mail", "[e]]mail] <> 'a@b'"},
      {"e mail", "\"e mail\" <> 'a@b'"},
  };
  catalog::Table people = People();
  people.columns[1].comment = "pii:email";
  for (const auto& [name, text] : kRows) {
    people.columns[1].name = name;
    EXPECT_TRUE(NamesBlockedColumn(privacy::Policy(), people, text)) << text;
  }
}

TEST(ShowIndex, CleansItsTexts) {
  const catalog::Table people = People();
  const catalog::Index index{"i", {"city", "lower(city)\u202E"}, false, "", "city <> 'a\u200Bb'"};
  const catalog::Index shown = ShowIndex(privacy::Policy(), people, index);
  EXPECT_THAT(shown.columns, ElementsAre("city", "lower(city)"));
  EXPECT_EQ(shown.predicate, "city <> 'ab'");
}

TEST(ShowIndex, LeavesOutTextsThatNameABlockedColumn) {
  const catalog::Table people = People();
  const privacy::Policy policy;
  const catalog::Index index{
      "i", {"city", "email", "lower(email) || 'a@b'"}, false, "", "email <> 'a@b'"};
  const catalog::Index shown = ShowIndex(policy, people, index);
  EXPECT_THAT(shown.columns, ElementsAre("city", "email", "(expression)"));
  EXPECT_FALSE(shown.predicate);
  const catalog::Index plain{"i", {"lower(city)"}, false, "", "city <> 'x'"};
  EXPECT_EQ(ShowIndex(policy, people, plain), plain);
}

}  // namespace
}  // namespace schemaward::tools
