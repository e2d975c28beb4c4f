// What MariaDB would end of is printed as it does not, or refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "guard/test_tables.h"

namespace schemaward::guard {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kRecursion =
    "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3) ";
constexpr const char* kApart = "(CASE WHEN TRUE THEN ";

std::string Printed(const std::string& text, const sql::Dialect& dialect = sql::MySql()) {
  const auto approved =
      ApproveOver(text, dialect, {MakeTable("account", {"id", "country"})}, privacy::Policy());
  return approved ? approved->text() : approved.error().ToLogText();
}

TEST(EndingForms, AKeyIsNoOutputWithASelectOverARecursion) {
  for (const char* rest :
       {"SELECT abs((SELECT max(n) FROM c)) FROM account ORDER BY abs((SELECT max(n) FROM c))",
        "SELECT 1 + abs((SELECT max(n) FROM c)) FROM account GROUP BY 1 + abs((SELECT max(n) FROM "
        "c))",
        "SELECT abs(EXISTS (SELECT n FROM c)) FROM account ORDER BY abs(EXISTS (SELECT n FROM c))",
        "SELECT rank() OVER (ORDER BY abs((SELECT max(n) FROM c))) FROM account",
        "SELECT rank() OVER w FROM account WINDOW w AS (PARTITION BY abs((SELECT max(n) FROM c)))",
        "SELECT x.y FROM (SELECT abs((SELECT max(n) FROM c)) AS y FROM account GROUP BY "
        "abs((SELECT max(n) FROM c))) AS x",
        "SELECT id FROM account WHERE id IN (SELECT abs((SELECT max(n) FROM c)) FROM account GROUP "
        "BY abs((SELECT max(n) FROM c)))"})
    EXPECT_THAT(Printed(kRecursion + std::string(rest)), HasSubstr(kApart)) << rest;
  EXPECT_THAT(Printed(kRecursion + std::string("SELECT abs((SELECT max(n) FROM c)) FROM account "
                                               "ORDER BY abs((SELECT max(n) FROM c)) DESC")),
              HasSubstr("SELECT abs((SELECT max(`n`) FROM `c`)) FROM `main`.`account` AS `account` "
                        "ORDER BY abs((CASE WHEN TRUE THEN (SELECT max(`n`) FROM `c`) END)) DESC"));
}

TEST(EndingForms, OthersStayAsTheyAre) {
  for (const char* rest : {"SELECT abs((SELECT max(n) FROM c)) AS y FROM account ORDER BY y",
                           "SELECT abs((SELECT max(n) FROM c)) AS y FROM account GROUP BY 1",
                           "SELECT id FROM account WHERE id = abs((SELECT max(n) FROM c))",
                           "SELECT id FROM account ORDER BY (SELECT max(n) FROM c)"})
    EXPECT_THAT(Printed(kRecursion + std::string(rest)),
                testing::AllOf(HasSubstr("SELECT"), Not(HasSubstr(kApart))))
        << rest;
  const char* plain =
      "SELECT abs((SELECT max(id) FROM account)) FROM account ORDER BY abs((SELECT max(id) FROM "
      "account))";
  EXPECT_THAT(Printed(plain), Not(HasSubstr(kApart)));
  EXPECT_THAT(Printed(kRecursion + std::string(plain), sql::Sqlite()), Not(HasSubstr(kApart)));
}

TEST(EndingForms, ADeniedColumnInASelectIsCompared) {
  for (const char* condition : {"(NOT a.id) = max(b.id)", "(NOT (a.id AND a.id > 2)) AND max(b.id)",
                                "(NOT (NOT (a.id OR FALSE))) AND max(b.id)", "(! a.id) < 2"})
    EXPECT_THAT(Printed(std::string("SELECT (SELECT max(b.id) FROM account AS b HAVING ") +
                        condition + ") FROM account AS a"),
                HasSubstr("(`a`.`id` <> 0)"))
        << condition;
  EXPECT_THAT(
      Printed("SELECT a.id IN (SELECT NOT a.id FROM account AS b) FROM account AS a GROUP BY 1"),
      HasSubstr("(NOT (`a`.`id` <> 0))"));
  EXPECT_THAT(Printed("SELECT NOT a.id FROM account AS a WHERE NOT a.id"),
              testing::AllOf(HasSubstr("(NOT `a`.`id`)"), Not(HasSubstr("<>"))));
}

TEST(EndingForms, AWindowInAKeyOfASelectIsOverNoBareColumn) {
  EXPECT_THAT(Printed("SELECT (SELECT 1 FROM account AS c ORDER BY 1 + lag(b.id) OVER (ORDER BY "
                      "c.id) LIMIT 1) FROM account AS a JOIN account AS b ON TRUE"),
              HasSubstr("lag((CASE WHEN TRUE THEN `b`.`id` END)) OVER ( ORDER BY `c`.`id`)"));
  EXPECT_THAT(Printed("SELECT lag(a.id) OVER (ORDER BY a.id) FROM account AS a ORDER BY "
                      "lag(a.id) OVER (ORDER BY a.id)"),
              testing::AllOf(HasSubstr("lag(`a`.`id`)"), Not(HasSubstr(kApart))));
}

TEST(EndingForms, ASelectWithoutFromIsNotComparedWith) {
  for (const char* text : {"SELECT a.id IN (SELECT a.country) FROM account AS a GROUP BY 1",
                           "SELECT a.id FROM account AS a WHERE a.id > ALL (SELECT abs(a.id))",
                           "SELECT a.id FROM account AS a HAVING a.id <> ANY ((SELECT 1))"}) {
    EXPECT_THAT(Printed(text), HasSubstr("of a select without FROM")) << text;
    EXPECT_THAT(Printed(text, sql::Postgres()), Not(HasSubstr("of a select without FROM")));
  }
  for (const char* text : {"SELECT a.id IN (SELECT 1 UNION SELECT 2) FROM account AS a",
                           "SELECT a.id = (SELECT a.country) FROM account AS a",
                           "SELECT a.id IN (SELECT a.country FROM account AS b) FROM account AS a"})
    EXPECT_THAT(Printed(text), HasSubstr("`main`.`account`")) << text;
}

TEST(EndingForms, ASelectWithoutFromInsideAnotherIsNotSorted) {
  for (const char* text :
       {"SELECT (SELECT 'x' ORDER BY min(a.id)) FROM account AS a",
        "SELECT a.id > ALL (SELECT 2 UNION (SELECT 3 ORDER BY min(a.id))) FROM account AS a"})
    EXPECT_THAT(Printed(text), HasSubstr("sorts a select without FROM")) << text;
  for (const char* text : {"SELECT (SELECT min(b.id) FROM account AS b ORDER BY 1) FROM account",
                           "SELECT x.y FROM (SELECT 1 AS y ORDER BY 1) AS x, account"})
    EXPECT_THAT(Printed(text), HasSubstr("`main`.`account`")) << text;
}

}  // namespace
}  // namespace schemaward::guard
