// Relations that MariaDB may not merge into a select with a window: it would end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "guard/test_tables.h"

namespace schemaward::guard {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kFence = " LIMIT 9223372036854775807";

std::vector<catalog::Table> Tables() {
  std::vector<catalog::Table> tables = {MakeTable("account", {"id", "country"}),
                                        MakeTable("few", {"id", "country"}),
                                        MakeTable("own", {"id", "country"})};
  tables[1].kind = tables[2].kind = catalog::TableKind::View;
  tables[1].definition = "SELECT account.id, account.country FROM account";
  tables[2].definition = "SELECT own.id, own.country FROM account AS own";
  return tables;
}

std::string Printed(const std::string& text, const privacy::Policy& policy = privacy::Policy(),
                    const sql::Dialect& dialect = sql::MySql()) {
  const auto approved = ApproveOver(text, dialect, Tables(), policy);
  return approved ? approved->text() : approved.error().ToLogText();
}

std::string OverWindow(const std::string& from, const std::string& name) {
  return "SELECT lag(" + name + ".country) OVER (ORDER BY " + name + ".country) FROM " + from +
         " ORDER BY " + name + ".country";
}

TEST(WindowsApart, ATableInsideMayNotBeCalledAsWhatIsAround) {
  for (const char* from : {"(SELECT country FROM account) AS account",
                           "(SELECT country FROM account WHERE id > 3 ORDER BY id) AS Account",
                           "(SELECT country FROM (SELECT * FROM account) AS a) AS account",
                           "(SELECT country FROM few) AS account", "few AS account",
                           "(few AS account JOIN few ON few.id = account.id)",
                           "(SELECT account.* FROM few JOIN account ON TRUE) AS account"})
    EXPECT_THAT(Printed(OverWindow(from, "account")), HasSubstr(kFence)) << from;
  EXPECT_EQ(Printed(OverWindow("own", "own")),
            "SELECT lag(`own`.`country`) OVER ( ORDER BY `own`.`country`) FROM (SELECT "
            "`own`.`country` FROM `main`.`own` AS `own` LIMIT 9223372036854775807) AS `own` ORDER "
            "BY `own`.`country`");
  EXPECT_THAT(Printed("WITH account AS (SELECT country FROM main.account) " +
                      OverWindow("account", "account")),
              HasSubstr(kFence));
  EXPECT_THAT(
      Printed("SELECT id FROM (SELECT * FROM account) AS account ORDER BY lag(country) OVER "
              "(ORDER BY account.country), account.country"),
      HasSubstr(kFence));
}

TEST(WindowsApart, OthersStayAsTheyAre) {
  for (const char* from :
       {"account", "few", "(SELECT country FROM account) AS a",
        "(SELECT country FROM account GROUP BY country) AS account",
        "(SELECT country FROM account UNION SELECT country FROM few) AS account"}) {
    const std::string_view text = from;
    const std::string name(text.ends_with(" a") ? "a" : text.ends_with("few") ? "few" : "account");
    EXPECT_THAT(Printed(OverWindow(from, name)), Not(HasSubstr("LIMIT"))) << from;
  }
  EXPECT_THAT(Printed("SELECT country FROM (SELECT country FROM account) AS account ORDER BY 1"),
              Not(HasSubstr("LIMIT")));
  EXPECT_THAT(Printed(OverWindow("(SELECT country FROM account) AS account", "account"),
                      privacy::Policy(), sql::Postgres()),
              Not(HasSubstr("LIMIT")));
}

}  // namespace
}  // namespace schemaward::guard
