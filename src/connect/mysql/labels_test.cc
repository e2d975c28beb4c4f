// Lists of values, as MariaDB 10.11 and MySQL 8 print them.

#include "connect/mysql/labels.h"

#include "base/result_matchers.h"

namespace schemaward::connect::mysql {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(MysqlLabels, ReadsTheListsOfTypes) {
  EXPECT_THAT(LabelsOfType("enum('new','it''s','a,b')"), ElementsAre("new", "it's", "a,b"));
  EXPECT_THAT(LabelsOfType("set('q','r')"), ElementsAre("q", "r"));
  EXPECT_THAT(LabelsOfType("varchar(10)"), IsEmpty());
  EXPECT_THAT(LabelsOfType("enum('open"), IsEmpty());
}

TEST(MysqlLabels, ReadsTheListOfACheck) {
  struct Case {
    std::string text;
    std::string column;
    std::vector<std::string> labels;
  };
  const Case cases[] = {
      {R"(`state` in ('new','it\'s'))", "state", {"new", "it's"}},
      {R"((`state` in (_utf8mb4'new',_utf8mb4'paid')))", "state", {"new", "paid"}},
      {R"((`state` in (_utf8mb4\'new\',_utf8mb4\'it\\\'s\')))", "state", {"new", "it's"}},
      {"`tier` in (1,2,-3)", "tier", {"1", "2", "-3"}},
      {"`a``b` = 'x'", "a`b", {"x"}}};
  for (const Case& one : cases) {
    const ListCheck check = LabelsOfCheck(one.text);
    EXPECT_EQ(check.column, one.column) << one.text;
    EXPECT_EQ(check.labels, one.labels) << one.text;
  }
}

TEST(MysqlLabels, TakesNoLabelsFromOtherConditions) {
  for (const char* text :
       {"`a` in ('x','y') or `a` > 'z'", "`b` not in ('x','y')", "`a` > 1", "json_valid(`j`)",
        "(`a` in ('x')) and (`b` > 2)", "`a` in ('x', lower('y'))", "`a` in (`b`)", ""})
    EXPECT_THAT(LabelsOfCheck(text).labels, IsEmpty()) << text;
}

}  // namespace
}  // namespace schemaward::connect::mysql
