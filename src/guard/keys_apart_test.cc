// Keys that MariaDB would take for an output of the same text: it would end.
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

TEST(KeysApart, AKeyIsNoOutputWithASelectOverARecursion) {
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

TEST(KeysApart, OthersStayAsTheyAre) {
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

}  // namespace
}  // namespace schemaward::guard
