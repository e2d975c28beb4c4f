// The library's files read, hold together, and are found by words that people use.

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "patterns/bind.h"
#include "patterns/library.h"

namespace schemaward::patterns {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class PatternsTest : public ::testing::Test {
 protected:
  const std::vector<Pattern>& All() {
    const auto all = library_.All();
    EXPECT_THAT(all, IsOk());
    return **all;
  }
  std::vector<std::string> Found(const std::string& words, std::size_t most) {
    std::vector<std::string> ids;
    const auto hits = library_.Search({words, std::nullopt, std::nullopt});
    for (const Hit& hit : *hits)
      if (ids.size() < most) ids.push_back(hit.pattern->id);
    return ids;
  }
  text::Lexicon lexicon_;
  Library library_{BuiltIn(), [this]() -> const text::Lexicon& { return lexicon_; }};
};

TEST_F(PatternsTest, EveryPatternIsWhole) {
  const std::set<std::string> fixtures = {"shop", "people", "history", "events", "staff"};
  for (const Pattern& pattern : All()) {
    EXPECT_TRUE(fixtures.contains(pattern.fixture)) << pattern.id;
    for (const auto* list :
         {&pattern.use_when, &pattern.avoid_when, &pattern.needs, &pattern.pitfalls, &pattern.tags})
      EXPECT_FALSE(list->empty()) << pattern.id;
    EXPECT_FALSE(pattern.result.empty()) << pattern.id;
    EXPECT_EQ(pattern.writes, !pattern.check.empty()) << pattern.id;
    for (const char* dialect : {"postgres", "mysql", "sqlite", "duckdb"})
      EXPECT_NE(FindText(pattern, dialect), nullptr) << pattern.id << " in " << dialect;
    EXPECT_EQ(pattern.evidence.size(), 4U) << pattern.id << ": each of four engines ran it";
  }
}

TEST_F(PatternsTest, EveryNameInAPatternIsOneOfItsOwn) {
  for (const Pattern& pattern : All()) {
    for (const std::string& related : pattern.related) {
      const auto other = library_.Find(related);
      EXPECT_TRUE(other && *other != nullptr) << pattern.id << " is related to " << related;
    }
    for (const Parameter& parameter : pattern.parameters) {
      bool is_used = pattern.check.find('{' + parameter.name + '}') != std::string::npos;
      for (const Text& text : pattern.texts)
        is_used |= text.sql.find('{' + parameter.name + '}') != std::string::npos;
      EXPECT_TRUE(is_used) << pattern.id << ": " << parameter.name;
      EXPECT_TRUE(parameter.fills != Fills::Column ||
                  FindParameter(pattern, parameter.table) != nullptr)
          << pattern.id << ": " << parameter.name;
    }
    for (const Text& text : pattern.texts)
      EXPECT_EQ(ExampleOf(pattern, text.sql).find_first_of("{}"), std::string::npos) << pattern.id;
  }
}

TEST_F(PatternsTest, EveryPatternIsTheFirstHitOfItsTitle) {
  for (const Pattern& pattern : All())
    EXPECT_THAT(Found(pattern.title, 3), Contains(pattern.id)) << pattern.title;
}

TEST_F(PatternsTest, WordsOfPeopleFindThePattern) {
  const std::pair<const char*, const char*> cases[] = {
      {"newest order of each customer", "latest-row-per-group"},
      {"top 3 products per category", "top-n-per-group"},
      {"cumulative sum over time", "running-total"},
      {"moving average of the past rows", "rolling-average"},
      {"percentage of the total", "share-of-total"},
      {"quartiles and deciles", "quantile-buckets"},
      {"concatenate values into a list", "values-in-one-row"}};
  for (const auto& [words, id] : cases) EXPECT_THAT(Found(words, 3), Contains(id)) << words;
}

TEST_F(PatternsTest, WordsThatNoPatternHasFindNothing) {
  EXPECT_THAT(Found("zzyzx qwfp", 5), IsEmpty());
  EXPECT_THAT(Found("the of and", 5), IsEmpty());
}

TEST_F(PatternsTest, NearIdsComeBySpellingThenByWords) {
  const auto near = library_.Near("runing-totl", 5);
  ASSERT_THAT(near, IsOk());
  EXPECT_EQ(near->front(), "running-total");
}

TEST(ParsePattern, NamesTheLineOfAFault) {
  struct Case {
    const char* name;
    const char* text;
    const char* message;
  };
  const Case cases[] = {
      {"no head", "id: x\n", "line 1: the file does not begin with ---"},
      {"category", "---\nid: x\ncategory: magic\n---\n", "line 3: no such category"},
      {"entry", "---\nid: x\nmood: good\n---\n", "line 3: no such entry"},
      {"section", "---\nid: x\n---\n# T\n\nS.\n\n## Moods\n\n- good\n",
       "line 10: no item of a known section"},
      {"cells", "---\nid: x\n---\n# T\n\n## Parameters\n\n| a | table | b |\n",
       "line 8: a line of the parameters has four cells"},
      {"nothing", "---\nid: x\n---\n# T\n",
       "line 5: the pattern lacks an id, a title, a summary or its SQL"}};
  for (const Case& one : cases) {
    const auto read = ParsePattern(one.text);
    ASSERT_FALSE(read) << one.name;
    EXPECT_EQ(read.error().message(), one.message) << one.name;
  }
}

catalog::Table TableOf(const std::string& name, const std::vector<std::string>& columns) {
  catalog::Table table;
  table.schema = "main";
  table.name = name;
  table.primary_key = catalog::Key{"pk", {columns.front()}};
  for (const std::string& column : columns) {
    catalog::Column& next = table.columns.emplace_back();
    next.name = column;
    next.type = column.ends_with("_at") ? "timestamp" : column == "label" ? "text" : "integer";
  }
  return table;
}

constexpr const char* kLatest = R"(---
id: latest
---
# Latest

One row.

## Parameters

| name | fills | example | meaning |
|---|---|---|---|
| orders | table | orders | rows |
| customer | column of orders: reference | customer_id | group |
| moment | column of orders: time | ordered_at | order |
| n | value: number | 2 | rows |

## SQL

### sqlite

```sql
SELECT {customer}, MAX({moment}) FROM {orders} GROUP BY {customer} LIMIT {n}
```
)";

TEST(Propose, ChoosesByTypeAndKeyAndLetsTheCallerSay) {
  const auto pattern = ParsePattern(kLatest);
  ASSERT_THAT(pattern, IsOk());
  const catalog::Table labels = TableOf("labels", {"label_id", "label"});
  const catalog::Table visits = TableOf("visits", {"visit_id", "person_id", "came_at", "left_at"});
  const std::vector<const catalog::Table*> tables = {&labels, &visits};
  const Binding proposed = Propose(*pattern, tables, {}, sql::Sqlite());
  EXPECT_THAT(proposed.unfilled, IsEmpty());
  EXPECT_EQ(
      BoundSql(*pattern, pattern->texts[0].sql, proposed, sql::Sqlite()),
      R"(SELECT "person_id", MAX("came_at") FROM "main"."visits" GROUP BY "person_id" LIMIT 2)");
  const Binding given =
      Propose(*pattern, tables, {{"moment", "left_at"}, {"n", "5"}}, sql::Sqlite());
  EXPECT_EQ(given.fillings[2].value, "left_at");
  EXPECT_EQ(given.fillings[3].value, "5");
}

TEST(Propose, SaysWhatNothingFills) {
  const auto pattern = ParsePattern(kLatest);
  ASSERT_THAT(pattern, IsOk());
  const catalog::Table labels = TableOf("labels", {"label_id", "label"});
  const Binding binding = Propose(*pattern, {&labels}, {{"customer", "nothing"}}, sql::Sqlite());
  EXPECT_THAT(binding.unfilled, ElementsAre("customer", "moment"));
  EXPECT_THAT(binding.unknown, ElementsAre("customer"));
  EXPECT_THAT(Propose(*pattern, {}, {}, sql::Sqlite()).unfilled,
              ElementsAre("orders", "customer", "moment"));
}

}  // namespace
}  // namespace schemaward::patterns
