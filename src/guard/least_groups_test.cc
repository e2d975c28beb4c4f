// Statistics over blocked columns in groups of a least size: what tries to come down to one row.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "guard/guard.h"

namespace schemaward::guard {
namespace {

using ::testing::HasSubstr;

catalog::Table TableOf(std::string name, const std::vector<std::string>& columns, bool has_key) {
  catalog::Table table;
  table.schema = "public";
  table.name = std::move(name);
  for (const std::string& column_name : columns) {
    catalog::Column column;
    column.name = column_name;
    column.type = "integer";
    table.columns.push_back(std::move(column));
  }
  if (has_key) table.primary_key = catalog::Key{"", {columns.front()}};
  return table;
}

Result<Approved> Approve(std::string_view text, std::string_view filter = "") {
  privacy::PolicyData data;
  if (!filter.empty()) data.everyone.row_filters = {{"patient", std::string(filter)}};
  privacy::Allowance groups;
  groups.aggregate = true;
  groups.group_min = 20;
  data.first.categories[static_cast<std::size_t>(privacy::Category::Health)] = groups;
  const std::vector<catalog::Table> tables = {
      TableOf("patient", {"id", "city", "diagnosis"}, true),
      TableOf("visit", {"id", "patient_id", "cost", "diagnosis"}, true),
      TableOf("intake", {"id", "city", "diagnosis"}, false)};
  TableList lookup(tables);
  return Guard(privacy::Policy(std::move(data)))
      .ApproveText({text, {}}, sql::Postgres(), lookup, Principal(), nullptr);
}

struct Case {
  std::string_view name, text;
};

TEST(LeastGroups, CountValues) {
  const auto alone = Approve("SELECT city, avg(diagnosis) FROM patient GROUP BY city");
  ASSERT_THAT(alone, IsOk());
  EXPECT_THAT(alone->text(),
              HasSubstr(R"(HAVING (pg_catalog.count("patient"."diagnosis") >= 20))"));
  const auto having =
      Approve("SELECT city, sum(diagnosis * 2.0) FROM patient GROUP BY city HAVING count(*) < 2");
  ASSERT_THAT(having, IsOk());
  EXPECT_THAT(having->text(), HasSubstr(R"(AND (pg_catalog.count("patient"."diagnosis") >= 20))"));
}

// PostgreSQL sorts the rows once, for all aggregates of a select.
TEST(LeastGroups, NothingElseShowsTheOrderOfWhatIsCountedOnce) {
  for (const std::string_view text :
       {"SELECT count(DISTINCT diagnosis), string_agg(id::text, ',') FROM patient",
        "SELECT city, array_agg(id), sum(DISTINCT diagnosis) FROM patient GROUP BY city"})
    EXPECT_THAT(Approve(text), IsError(ErrorKind::PiiBlocked)) << text;
  for (const std::string_view text :
       {"SELECT count(DISTINCT diagnosis), max(id), avg(diagnosis) FROM patient",
        "SELECT count(DISTINCT diagnosis), array_agg(id ORDER BY id) FROM patient",
        "SELECT avg(diagnosis), array_agg(id) FROM patient"})
    EXPECT_THAT(Approve(text), IsOk()) << text;
}

TEST(LeastGroups, CountEachRowOnceWhereAJoinRepeatsIt) {
  for (const std::string_view text :
       {"SELECT avg(p.diagnosis) FROM patient p JOIN visit v ON v.patient_id = p.id",
        "SELECT avg(p.diagnosis) FROM patient p, generate_series(1, 100) AS g WHERE p.id = 5",
        "SELECT avg(p.diagnosis) FROM patient p CROSS JOIN (VALUES (1), (2)) AS v(x)"}) {
    const auto joined = Approve(text);
    ASSERT_THAT(joined, IsOk()) << text;
    EXPECT_THAT(joined->text(), HasSubstr(R"(count(DISTINCT (CASE WHEN ("p"."diagnosis" )"
                                          R"(IS NOT NULL) THEN "p"."id" END)) >= 20)"))
        << text;
  }
}

TEST(LeastGroups, AFilteredTableKeepsTheKeyThatCountsIt) {
  const auto filtered =
      Approve("SELECT avg(p.diagnosis) FROM patient p, generate_series(1, 2) g", "city = 'Rome'");
  ASSERT_THAT(filtered, IsOk());
  EXPECT_THAT(filtered->text(),
              HasSubstr(R"(FROM (SELECT "patient"."id", "patient"."diagnosis" FROM)"));
}

TEST(LeastGroups, AreRefusedWhereOneRowCouldBeAll) {
  const Case cases[] = {
      {"an order of operands", "SELECT sum(cost ORDER BY diagnosis) FROM visit"},
      {"a second order", "SELECT sum(cost ORDER BY id DESC, diagnosis) FROM visit"},
      {"FILTER", "SELECT avg(diagnosis) FILTER (WHERE id = 5) FROM patient"},
      {"CASE", "SELECT sum(CASE WHEN id = 5 THEN diagnosis ELSE 0 END) FROM patient"},
      {"a comparison as a number", "SELECT sum(diagnosis * CAST(id = 5 AS integer)) FROM patient"},
      {"times another column", "SELECT sum(diagnosis * id) FROM patient"},
      {"NULLIF", "SELECT count(nullif(diagnosis, 3)) FROM patient"},
      {"a division that fails for one value",
       "SELECT sum(1.0 / CAST(diagnosis - 3.0 AS numeric)) FROM patient WHERE id = 5"},
      {"a cast that fails above one value",
       "SELECT sum(CAST(diagnosis * 1.0 AS smallint)) FROM patient WHERE id = 5"},
      {"a product that is too large above one value",
       "SELECT sum(diagnosis * 50000) FROM patient WHERE id = 5"},
      {"a product of decimals that is too large above one value",
       "SELECT sum(diagnosis * 1e307) FROM patient WHERE id = 5"},
      {"a sum that is too large above one value",
       "SELECT count(diagnosis + 2147483000) FROM patient WHERE id = 5"},
      {"numbers that are too large together",
       "SELECT sum(diagnosis * 1000.0 * 1000.0 * 1000.0) FROM patient"},
      {"a power", "SELECT sum(power(diagnosis, 99)) FROM patient"},
      {"a condition on it", "SELECT avg(diagnosis) FROM patient WHERE diagnosis > 3"},
      {"a HAVING on it", "SELECT city FROM patient GROUP BY city HAVING avg(diagnosis) > 3"},
      {"an order by it", "SELECT city FROM patient GROUP BY city ORDER BY avg(diagnosis)"},
      {"a group of it", "SELECT count(diagnosis) FROM patient GROUP BY diagnosis"},
      {"where another has a value", "SELECT regr_avgy(diagnosis, id) FROM patient"},
      {"the largest", "SELECT max(diagnosis) FROM patient"},
      {"the last percentile",
       "SELECT percentile_cont(1.0) WITHIN GROUP (ORDER BY diagnosis) FROM patient"},
      {"names by place", "SELECT avg(x) FROM patient AS p(diagnosis, city, x)"},
      {"its name by place", "SELECT avg(p.x) FROM patient AS p(id, city, x)"},
      {"a window", "SELECT avg(diagnosis) OVER (PARTITION BY id) FROM patient"},
      {"a derived table", "SELECT avg(d) FROM (SELECT diagnosis AS d FROM patient WHERE id = 5) q"},
      {"a common table", "WITH q AS (SELECT diagnosis AS d FROM patient) SELECT avg(d) FROM q"},
      {"a set operation",
       "SELECT avg(d) FROM (SELECT diagnosis AS d FROM patient UNION ALL SELECT 1) q"},
      {"DISTINCT", "SELECT DISTINCT diagnosis FROM patient"},
      {"an outer row", "SELECT p.id, (SELECT avg(p.diagnosis) FROM visit v) FROM patient p"},
      {"an outer row of the same table",
       "SELECT p.id, (SELECT avg(p.diagnosis) FROM patient q) FROM patient p"},
      {"a join without a key", "SELECT avg(i.diagnosis) FROM intake i, generate_series(1, 100) g"},
      {"itself twice", "SELECT avg(a.diagnosis) FROM patient a, patient b"},
  };
  for (const Case& one : cases) {
    const auto refused = Approve(one.text);
    ASSERT_FALSE(refused) << one.name << ": " << refused->text();
    EXPECT_EQ(refused.error().kind(), ErrorKind::PiiBlocked) << one.name;
  }
}

}  // namespace
}  // namespace schemaward::guard
