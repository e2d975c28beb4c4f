#include "guard/recursion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "guard/guard.h"

namespace schemaward::guard {
namespace {

using ::testing::HasSubstr;

Result<Approved> Approve(std::string_view text, const sql::Dialect& dialect) {
  catalog::Table day;
  day.schema = std::string(dialect.default_schema);
  day.name = "sale";
  catalog::Column sold_on;
  sold_on.name = "sold_on";
  sold_on.type = "date";
  day.columns = {sold_on};
  const std::vector<catalog::Table> tables = {day};
  TableList lookup(tables);
  return Guard(privacy::Policy()).ApproveText({text, {}}, dialect, lookup, Principal(), nullptr);
}

struct Case {
  std::string_view name;
  const sql::Dialect& dialect;
  std::string_view recursion;  ///< of "WITH RECURSIVE r(i) AS (...) SELECT * FROM r"
};

std::string StatementOf(const Case& one) {
  return "WITH RECURSIVE r(i) AS (" + std::string(one.recursion) + ") SELECT i FROM r";
}

TEST(Recursion, CountsUpAndDownAndThroughTime) {
  const Case cases[] = {
      {"up", sql::Sqlite(), "SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 10"},
      {"from a date of a text", sql::Sqlite(),
       "SELECT date('2024-01-01') UNION ALL SELECT date(i, '+1 day') FROM r WHERE i < "
       "date('2024-02-01')"},
      {"from a date of a text in MySQL", sql::MySql(),
       "SELECT DATE('2024-01-01') UNION ALL SELECT i + INTERVAL 1 DAY FROM r WHERE i < "
       "'2024-02-01'"},
      {"down", sql::Sqlite(), "SELECT 10 UNION ALL SELECT i - 1 FROM r WHERE i > 0"},
      {"the other way around", sql::MySql(), "SELECT 1 UNION ALL SELECT 1 + i FROM r WHERE 9 >= i"},
      {"in steps", sql::Sqlite(), "SELECT 0 UNION ALL SELECT i + 5 FROM r WHERE i + 5 <= 100"},
      {"under an alias", sql::Sqlite(),
       "SELECT 1 UNION ALL SELECT x.i + 1 FROM r AS x WHERE x.i < 9"},
      {"between", sql::Postgres(),
       "SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i BETWEEN 0 AND 9"},
      {"and more", sql::Sqlite(), "SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i > 0 AND i < 9"},
      {"VALUES", sql::Sqlite(), "VALUES (1), (2) UNION ALL SELECT i + 1 FROM r WHERE i < 9"},
      {"days", sql::Postgres(),
       "SELECT date '2024-01-01' UNION ALL SELECT (i + interval '1 day')::date FROM r WHERE i < "
       "date '2024-02-01'"},
      {"days by numbers", sql::Postgres(),
       "SELECT date '2024-01-01' UNION ALL SELECT i + 1 FROM r WHERE i < '2024-02-01'"},
      {"days of MySQL", sql::MySql(),
       "SELECT CAST('2024-01-01' AS DATE) UNION ALL SELECT DATE_ADD(i, INTERVAL 1 DAY) FROM r "
       "WHERE i < '2024-02-01'"},
      {"days of SQLite", sql::Sqlite(),
       "SELECT '2024-01-01' UNION ALL SELECT date(i, '+1 day') FROM r WHERE i < '2024-02-01'"},
      {"along a table", sql::Sqlite(),
       "SELECT min(sold_on) FROM sale UNION ALL SELECT s.sold_on FROM r JOIN sale s ON s.sold_on > "
       "r.i"},
      {"along a table, by a comma", sql::Postgres(),
       "SELECT sold_on FROM sale UNION ALL SELECT s.sold_on FROM sale s, r WHERE s.sold_on > r.i"},
      {"beside a table, to a bound", sql::DuckDb(),
       "SELECT 1 UNION ALL SELECT r.i + 1 FROM r LEFT JOIN sale ON sale.sold_on = r.i WHERE r.i < "
       "9"},
      {"days of the data", sql::DuckDb(),
       "SELECT min(sold_on) FROM sale UNION ALL SELECT i + INTERVAL 1 DAY FROM r WHERE i < (SELECT "
       "max(sold_on) FROM sale)"},
  };
  for (const Case& one : cases)
    EXPECT_TRUE(Approve(StatementOf(one), one.dialect)) << one.name << ": " << one.recursion;
}

TEST(Recursion, IsRefusedWhereNothingComesToAnEnd) {
  const Case cases[] = {
      {"beside a table that it does not look at", sql::Sqlite(),
       "SELECT 1 UNION ALL SELECT r.i + 1 FROM r CROSS JOIN sale"},
      {"beside one of its rows", sql::DuckDb(),
       "SELECT 1 UNION ALL SELECT r.i + 1 FROM r, sale WHERE sale.sold_on = '2024-01-01'"},
      {"a condition that no row fails", sql::Postgres(),
       "SELECT 1 UNION ALL SELECT r.i + 1 FROM r JOIN sale ON r.i > 0"},
      {"a condition that need not hold", sql::MySql(),
       "SELECT 1 UNION ALL SELECT r.i + 1 FROM r JOIN sale s ON s.sold_on = r.i OR 1 = 1"},
      {"an outer join", sql::Sqlite(),
       "SELECT 1 UNION ALL SELECT r.i + 1 FROM r LEFT JOIN sale s ON s.sold_on = r.i"},
      {"a limit below zero is none", sql::Sqlite(),
       "SELECT 1 UNION ALL SELECT i + 1 FROM r LIMIT -1"},
      {"two signs", sql::Sqlite(), "SELECT 1 UNION ALL SELECT i + 1 FROM r LIMIT - -9000000"},
      {"rows that are left out", sql::Sqlite(),
       "SELECT 1 UNION ALL SELECT i + 1 FROM r LIMIT 1 OFFSET 9000000"},
      {"nothing moves", sql::Sqlite(), "SELECT 1 UNION ALL SELECT i FROM r WHERE i < 10"},
      {"away from the bound", sql::Sqlite(), "SELECT 1 UNION ALL SELECT i - 1 FROM r WHERE i < 10"},
      {"by nothing", sql::Sqlite(), "SELECT 1 UNION ALL SELECT i + 0 FROM r WHERE i < 10"},
      {"by less than one", sql::Sqlite(),
       "SELECT 1 UNION ALL SELECT i + 0.00001 FROM r WHERE i < 10"},
      {"to and fro", sql::Sqlite(), "SELECT 1 UNION ALL SELECT 1 - i FROM r WHERE i < 10"},
      {"from far below", sql::Sqlite(),
       "SELECT -1000000000000 UNION ALL SELECT i + 1 FROM r WHERE i < 10"},
      {"to far above", sql::Sqlite(), "SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 1000001"},
      {"to far above, shifted", sql::Sqlite(),
       "SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i - 1000000000000 < 5"},
      {"bound by OR", sql::Sqlite(),
       "SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 10 OR i > 0"},
      {"bound under NOT", sql::Sqlite(), "SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE NOT i < 10"},
      {"another's column", sql::Postgres(),
       "SELECT 1 UNION ALL SELECT r.i + 1 FROM r, LATERAL (SELECT 5 AS i) AS q WHERE q.i < 10"},
      {"a constant", sql::Sqlite(), "SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE 5 < 10"},
      {"both ends of BETWEEN", sql::Postgres(),
       "SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i BETWEEN SYMMETRIC 1000000000000 AND 5"},
      {"a number below every text", sql::Sqlite(),
       "SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < '2024-01-01'"},
      {"days backwards", sql::Postgres(),
       "SELECT date '2024-01-01' UNION ALL SELECT (i + interval '-1 day')::date FROM r WHERE i < "
       "'2024-02-01'"},
      {"days ago", sql::Postgres(),
       "SELECT date '2024-01-01' UNION ALL SELECT (i + interval '1 day ago')::date FROM r WHERE i "
       "< "
       "'2024-02-01'"},
      {"seconds", sql::Postgres(),
       "SELECT timestamp '2024-01-01' UNION ALL SELECT i + interval '1 second' FROM r WHERE i < "
       "'2024-02-01'"},
      {"seconds, by a number", sql::MySql(),
       "SELECT CAST('2024-01-01' AS DATETIME) UNION ALL SELECT i + INTERVAL 1 SECOND FROM r WHERE "
       "i < '2099-01-01'"},
      {"seconds, by a number, in DuckDB", sql::DuckDb(),
       "SELECT TIMESTAMP '2024-01-01' UNION ALL SELECT i + INTERVAL 1 SECOND FROM r WHERE i < "
       "'2099-01-01'"},
      {"days backwards, by a number", sql::MySql(),
       "SELECT CAST('2024-01-01' AS DATE) UNION ALL SELECT i + INTERVAL -1 DAY FROM r WHERE i < "
       "'2024-02-01'"},
      {"many years of hours", sql::MySql(),
       "SELECT DATE('0001-01-01') UNION ALL SELECT i + INTERVAL 1 HOUR FROM r WHERE i < "
       "'2024-02-01'"},
      {"a share of its rows", sql::DuckDb(), "SELECT 1 UNION ALL SELECT i + 1 FROM r LIMIT 10%"},
      {"no days", sql::MySql(),
       "SELECT CAST('2024-01-01' AS DATE) UNION ALL SELECT i + INTERVAL 0 DAY FROM r WHERE i < "
       "'2024-02-01'"},
      {"many years", sql::Postgres(),
       "SELECT date '0001-01-01' UNION ALL SELECT (i + interval '1 day')::date FROM r WHERE i < "
       "'9999-01-01'"},
      {"a bound in a select", sql::Postgres(),
       "SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < (SELECT 1000000000000)"},
      {"one of two steps", sql::Sqlite(),
       "SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 10 UNION ALL SELECT i FROM r WHERE i < "
       "10"},
  };
  for (const Case& one : cases) {
    const auto refused = Approve(StatementOf(one), one.dialect);
    ASSERT_FALSE(refused) << one.name << ": " << one.recursion;
    EXPECT_THAT(refused.error().message(), HasSubstr("counts without an end")) << one.name;
  }
}

}  // namespace
}  // namespace schemaward::guard
