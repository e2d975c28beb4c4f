// What a view's columns are made of, by its own text.
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "guard/test_tables.h"

namespace schemaward::guard {
namespace {

using ::testing::HasSubstr;

struct Case {
  std::string_view name;
  const sql::Dialect& dialect;
  std::string_view view;       ///< the text of view v; its columns are `id` and `x`
  std::string_view statement;  ///< over v and the view w, which reads v
};

catalog::Table View(std::string name, std::vector<std::string> columns, std::string_view text,
                    std::string_view schema) {
  catalog::Table view = MakeTable(std::move(name), std::move(columns), schema);
  view.kind = catalog::TableKind::View;
  view.definition = text;
  return view;
}

Result<Approved> Approve(const Case& one, const privacy::Policy& policy = privacy::Policy()) {
  const std::string_view schema = one.dialect.default_schema;
  return ApproveOver(
      one.statement, one.dialect,
      {MakeTable("people", {"id", "city", "ssn"}, schema), View("v", {"id", "x"}, one.view, schema),
       View("w", {"id", "y"}, "SELECT id, upper(x) FROM v", schema)},
      policy);
}

const sql::Dialect& Pg() { return sql::Postgres(); }

TEST(Lineage, AViewThatSortsByABlockedColumnTellsItsOrder) {
  const sql::Dialect& (*const dialects[])() = {sql::Sqlite, sql::Postgres, sql::MySql, sql::DuckDb};
  for (const auto dialect : dialects) {
    for (const char* view :
         {"SELECT id, city AS x FROM people ORDER BY ssn",
          "SELECT id, city AS x FROM people ORDER BY upper(ssn) DESC LIMIT 5",
          "SELECT id, row_number() OVER (ORDER BY ssn) AS x FROM people",
          "SELECT q.id, q.x FROM (SELECT id, city AS x FROM people ORDER BY ssn LIMIT 9) q"})
      for (const char* statement : {"SELECT id FROM v", "SELECT id FROM w LIMIT 1",
                                    "SELECT p.id FROM people p WHERE p.id IN (SELECT id FROM v)"})
        EXPECT_THAT(Approve({"", dialect(), view, statement}),
                    IsError(ErrorKind::PiiBlocked, HasSubstr("people.ssn")))
            << dialect().name << ": " << view << ": " << statement;
    for (const char* view : {"SELECT id, city AS x FROM people ORDER BY city",
                             "SELECT id, row_number() OVER (ORDER BY city) AS x FROM people"})
      EXPECT_THAT(Approve({"", dialect(), view, "SELECT id FROM w"}), IsOk()) << dialect().name;
  }
}

// An engine may sort to group, to join or to find what is alike.
TEST(Lineage, AViewThatGroupsByABlockedColumnIsSortedByOthers) {
  const sql::Dialect& (*const dialects[])() = {sql::Sqlite, sql::Postgres, sql::MySql, sql::DuckDb};
  const auto is_sorted = [](const sql::Dialect& dialect, const char* view, const char* statement) {
    const auto approved = Approve({"", dialect, view, statement});
    EXPECT_THAT(approved, IsOk()) << dialect.name << ": " << view << ": " << statement;
    return approved && approved->text().find("LIMIT 9223372036854775807") != std::string::npos;
  };
  for (const auto dialect : dialects) {
    for (const char* view :
         {"SELECT id, count(*) OVER (PARTITION BY ssn) AS x FROM people",
          "SELECT id, max(city) AS x FROM people GROUP BY ssn, id",
          "SELECT DISTINCT id, ssn AS x FROM people",
          "SELECT id, ssn AS x FROM people UNION SELECT id, ssn FROM people",
          "SELECT p.id, p.city AS x FROM people p JOIN people q USING (ssn)",
          "SELECT p.id, p.city AS x FROM people p JOIN people q ON p.ssn = q.ssn",
          "SELECT p.id, 1 AS x FROM people p, people q WHERE p.id > 1 AND p.ssn = q.ssn",
          "SELECT p.id, 1 AS x FROM people p JOIN people q ON upper(p.ssn) = q.city",
          "SELECT id, 1 AS x FROM people WHERE ssn IN (SELECT city FROM people)",
          "SELECT id, 1 AS x FROM people WHERE id > 1 AND city IN (SELECT ssn FROM people)",
          "SELECT id, 1 AS x FROM people p WHERE EXISTS (SELECT 1 FROM people WHERE -id = p.ssn)"})
      for (const char* statement : {"SELECT id FROM v", "SELECT id FROM w LIMIT 1",
                                    "SELECT p.id FROM people p WHERE p.id IN (SELECT id FROM v)"})
        EXPECT_TRUE(is_sorted(dialect(), view, statement))
            << dialect().name << ": " << view << ": " << statement;
    for (const char* view : {"SELECT id, count(*) OVER (PARTITION BY city) AS x FROM people",
                             "SELECT id, max(ssn) AS x FROM people GROUP BY id",
                             "SELECT id, 1 AS x FROM people WHERE ssn = 'x' AND ssn <> city",
                             "SELECT id, ssn AS x FROM people UNION ALL SELECT id, ssn FROM people",
                             "SELECT p.id, p.city AS x FROM people p JOIN people q USING (id)"})
      EXPECT_FALSE(is_sorted(dialect(), view, "SELECT id FROM w"))
          << dialect().name << ": " << view;
    if (dialect().name == Pg().name) {
      EXPECT_TRUE(is_sorted(Pg(), "SELECT DISTINCT ON (ssn) id, city AS x FROM people",
                            "SELECT id FROM v"));
    }
    EXPECT_FALSE(is_sorted(dialect(), "SELECT DISTINCT id, ssn AS x FROM people",
                           "SELECT count(id), count(*) FROM v"))
        << dialect().name;
    // Which of equal values is the greatest (1.0, 1.00) would follow the order.
    EXPECT_TRUE(
        is_sorted(dialect(), "SELECT DISTINCT id, ssn AS x FROM people", "SELECT max(id) FROM v"))
        << dialect().name;
  }
}

// DuckDB joins by the pieces in which rows come, and those of groups are as large as the groups
// are.
TEST(Lineage, AViewThatGroupsIsSortedByDuckDbThoughNothingOfItIsRead) {
  for (const char* from : {"people p, v", "people p LEFT JOIN w ON TRUE"})
    EXPECT_THAT(Approve({"", sql::DuckDb(), "SELECT DISTINCT id, ssn AS x FROM people",
                         (std::string("SELECT p.id FROM ") + from).c_str()})
                    .value()
                    .text(),
                HasSubstr(" ORDER BY 1 LIMIT 9223372036854775807)"))
        << from;
}

// An engine computes what nobody reads where it tells rows apart by it, or keeps a common table.
TEST(Lineage, AViewThatFailsByABlockedValueTellsOfIt) {
  const char* const failing[] = {
      "SELECT DISTINCT id, 100 / ssn AS x FROM people",
      "SELECT id, CAST(ssn AS integer) AS x FROM people UNION SELECT id, 1 FROM people",
      "WITH w AS (SELECT id, ln(ssn) AS x FROM people) SELECT id, x FROM w",
      "SELECT id, count(*) OVER (PARTITION BY 5 % ssn) AS x FROM people",
      "SELECT max(id) AS id, count(*) AS x FROM people GROUP BY 7 / ssn"};
  const char* const left[] = {
      "SELECT id, 100 / ssn AS x FROM people",
      "SELECT DISTINCT id, ssn / 100 AS x FROM people",
      "SELECT DISTINCT id, ssn / nullif(id, 0) AS x FROM people",
      "SELECT DISTINCT id, upper(ssn) AS x FROM people",
      "SELECT DISTINCT id, CAST(ssn AS text) AS x FROM people",
      "SELECT DISTINCT id, CAST(city AS integer) AS x FROM people WHERE 7 / ssn > 1",
      "SELECT id, 1 / ssn AS x FROM people UNION ALL SELECT id, 1 FROM people"};
  for (const char* view : failing)
    EXPECT_THAT(Approve({"", Pg(), view, "SELECT id FROM w"}),
                IsError(ErrorKind::PiiBlocked, HasSubstr("people.ssn")))
        << view;
  for (const char* view : left)
    EXPECT_THAT(Approve({"", Pg(), view, "SELECT id FROM w"}), IsOk()) << view;
  EXPECT_THAT(Approve({"", sql::DuckDb(), failing[1], "SELECT id FROM v"}),
              IsError(ErrorKind::PiiBlocked, HasSubstr("people.ssn")));
  // There such a value is null.
  EXPECT_THAT(Approve({"", sql::Sqlite(), failing[0], "SELECT id FROM v"}), IsOk());
  EXPECT_THAT(Approve({"", sql::MySql(), failing[0], "SELECT id FROM v"}), IsOk());
}

// Sorting what comes out of it helps no more.
TEST(Lineage, AViewWhoseValuesFollowRowsThatABlockedColumnTellsApartIsNotRead) {
  const auto approve = [](const sql::Dialect& dialect, const std::string& view) {
    return Approve({"", dialect, view, "SELECT id FROM w"}).has_value();
  };
  const std::string apart = "(SELECT DISTINCT ssn, id, city FROM people) q";
  const sql::Dialect& (*const dialects[])() = {sql::Sqlite, sql::Postgres, sql::MySql, sql::DuckDb};
  for (const auto dialect : dialects) {
    const bool is_mysql = dialect().name == sql::MySql().name;
    const std::string gather = is_mysql ? "group_concat(q.city" : "string_agg(q.city, ','";
    for (const std::string& view :
         {"SELECT q.city AS id, " + gather + ") AS x FROM " + apart + " GROUP BY q.city",
          "SELECT q.id, q.city AS x FROM " + apart + " LIMIT 3",
          std::string("SELECT id, max(city) AS x FROM people GROUP BY ssn, id LIMIT 3"),
          "SELECT q.id, row_number() OVER () AS x FROM " + apart,
          "SELECT q.city AS id, " + gather +
              ") AS x FROM people q JOIN people p ON p.ssn = q.ssn GROUP BY q.city",
          "SELECT 1 AS id, " + gather +
              ") AS x FROM people q WHERE ssn IN (SELECT city FROM people)",
          "SELECT q.id, lag(q.id) OVER (PARTITION BY q.city) AS x FROM " + apart})
      EXPECT_FALSE(approve(dialect(), view)) << dialect().name << ": " << view;
    for (const std::string& view :
         {"SELECT q.city AS id, count(*) AS x FROM " + apart + " GROUP BY q.city",
          "SELECT q.id, q.city AS x FROM " + apart + " ORDER BY q.id LIMIT 3",
          "SELECT q.id, row_number() OVER (ORDER BY q.id) AS x FROM " + apart,
          "SELECT q.id, rank() OVER (PARTITION BY q.city ORDER BY q.id) AS x FROM " + apart,
          std::string("SELECT q.id, ") + gather + ") AS x FROM people q GROUP BY q.ssn, q.id"})
      EXPECT_TRUE(approve(dialect(), view)) << dialect().name << ": " << view;
  }
  EXPECT_TRUE(approve(Pg(), "SELECT 1 AS id, array_agg(DISTINCT q.city) AS x FROM " + apart));
  // PostgreSQL sorts the rows once for all aggregates of a select.
  const std::string gathered =
      "SELECT city AS id, string_agg(city, ',') AS x FROM people GROUP BY ";
  EXPECT_FALSE(approve(Pg(), gathered + "city HAVING count(DISTINCT ssn) > 1"));
  EXPECT_FALSE(approve(Pg(),
                       "SELECT t.id, t.x FROM (SELECT city AS id, string_agg(city, ',') AS x, "
                       "count(DISTINCT ssn) AS n FROM people GROUP BY city) t WHERE t.n > 1"));
  EXPECT_TRUE(approve(Pg(), gathered + "city HAVING count(ssn) > 1"));
  EXPECT_TRUE(approve(Pg(), gathered + "city HAVING count(DISTINCT city) > 1"));
  EXPECT_TRUE(approve(Pg(),
                      "SELECT 1 AS id, string_agg(city, ',' ORDER BY id) "
                      "AS x FROM people HAVING count(DISTINCT ssn) > 1"));
  EXPECT_TRUE(approve(sql::DuckDb(), gathered + "city HAVING count(DISTINCT ssn) > 1"));
  for (const char* view : {"SELECT DISTINCT ON (q.city) q.id, q.city AS x FROM ",
                           "SELECT 1 AS id, ARRAY(SELECT a.city FROM (SELECT DISTINCT city, ssn "
                           "FROM people) a) AS x FROM "})
    EXPECT_FALSE(approve(Pg(), view + apart)) << view;
  EXPECT_TRUE(
      approve(Pg(), "SELECT q.city AS id, string_agg(q.city, ',' ORDER BY q.id) AS x FROM " +
                        apart + " GROUP BY q.city"));
}

TEST(Lineage, AViewThatIsSortedKeepsItsOwnOrderFirst) {
  const auto order = [](const sql::Dialect& dialect, const char* view) {
    const auto approved = Approve({"", dialect, view, "SELECT id FROM v"});
    if (!approved) return approved.error().ToLogText();
    const std::size_t at = approved->text().find(" ORDER BY ");
    return approved->text().substr(at + 10, approved->text().find(" LIMIT") - at - 10);
  };
  const char* const by_name = "SELECT DISTINCT id, max(city) AS x FROM people GROUP BY id, ssn ";
  const std::string whole = R"("v"."x" DESC, "v"."id")";
  for (const char* key : {"ORDER BY x DESC", "ORDER BY 2 DESC", "ORDER BY max(city) DESC",
                          "ORDER BY 2 DESC, upper(x), id"})
    EXPECT_EQ(order(sql::DuckDb(), (std::string(by_name) + key).c_str()), whole) << key;
  EXPECT_EQ(order(Pg(),
                  "SELECT p.id, max(p.city) AS x FROM people p GROUP BY p.id, p.ssn ORDER BY "
                  "(max(p.city)) DESC NULLS LAST"),
            R"("v"."x" DESC NULLS LAST, (CAST("v"."id" AS TEXT) COLLATE "C"))");
  EXPECT_EQ(order(sql::Sqlite(), (std::string(by_name) + "ORDER BY min(city)").c_str()),
            R"("v"."id", CAST("v"."id" AS BLOB))");
}

TEST(Lineage, AColumnThatAFunctionOfTheDatabaseMakesIsNotRead) {
  const Case cases[] = {
      {"scalar", Pg(), "SELECT id, f(id) AS x FROM people", "SELECT x FROM v"},
      {"of a schema", Pg(), "SELECT id, public.f(id) AS x FROM people", "SELECT x FROM v"},
      {"called as a listed one", Pg(), "SELECT id, public.upper(id) FROM people",
       "SELECT x FROM v"},
      {"another spelling", Pg(), "SELECT id, \"UPPER\"(city) FROM people", "SELECT x FROM v"},
      {"of rows", Pg(), "SELECT a, b FROM f() AS r(a, b)", "SELECT x FROM v"},
      {"of rows beside", Pg(), "SELECT p.id, r.b FROM people p, LATERAL f(p.id) AS r(a, b)",
       "SELECT x FROM v"},
      {"inside an expression", Pg(), "SELECT id, 'a' || coalesce(f(id), '') FROM people",
       "SELECT x FROM v"},
      {"in a subquery", Pg(), "SELECT id, (SELECT f(1)) FROM people", "SELECT x FROM v"},
      {"in a common table", Pg(), "WITH c AS (SELECT id, f(id) AS z FROM people) SELECT * FROM c",
       "SELECT x FROM v"},
      {"in a union", Pg(), "SELECT id, city FROM people UNION ALL SELECT id, f(id) FROM people",
       "SELECT x FROM v"},
      {"an aggregate", Pg(), "SELECT id, f(city) FROM people GROUP BY id", "SELECT x FROM v"},
      {"a star", Pg(), "SELECT id, f(id) FROM people", "SELECT * FROM v"},
      {"whole row", Pg(), "SELECT id, f(id) FROM people", "SELECT v FROM v"},
      {"a condition", Pg(), "SELECT id, f(id) FROM people", "SELECT id FROM v WHERE x = 'a'"},
      {"an order", Pg(), "SELECT id, f(id) FROM people", "SELECT id FROM v ORDER BY x"},
      {"a view over it", Pg(), "SELECT id, f(id) FROM people", "SELECT y FROM w"},
      {"xpath over it", Pg(), "SELECT id, xpath('/a', f(id)) FROM people", "SELECT x FROM v"},
      {"statistics", Pg(), "SELECT attrelid, attmissingval FROM pg_attribute", "SELECT x FROM v"},
      {"sqlite", sql::Sqlite(), "SELECT id, f(id) FROM people", "SELECT x FROM v"},
      {"sqlite's rows", sql::Sqlite(), "SELECT 1, value FROM f('a')", "SELECT x FROM v"},
      {"mysql", sql::MySql(), "SELECT id, f(id) FROM people", "SELECT x FROM v"},
      {"duckdb", sql::DuckDb(), "SELECT id, f(id) FROM people", "SELECT x FROM v"},
      {"duckdb's rows", sql::DuckDb(), "SELECT a, b FROM f() AS r(a, b)", "SELECT x FROM v"},
  };
  for (const Case& one : cases)
    EXPECT_THAT(Approve(one), IsError(ErrorKind::PolicyBlocked, HasSubstr("function"))) << one.name;
}

TEST(Lineage, WhatAnExpressionComparesIsPartOfItsValue) {
  const Case cases[] = {
      {"a named window", Pg(), "SELECT id, rank() OVER w FROM people WINDOW w AS (ORDER BY ssn)",
       "SELECT x FROM v"},
      {"a window over it", Pg(),
       "SELECT id, sum(id) OVER (w ROWS 1 PRECEDING) FROM people WINDOW w AS (PARTITION BY ssn)",
       "SELECT x FROM v"},
      {"a named window of MySQL", sql::MySql(),
       "SELECT id, rank() OVER w FROM people WINDOW w AS (ORDER BY ssn)", "SELECT x FROM v"},
      {"exists", Pg(),
       "SELECT id, EXISTS (SELECT 1 FROM people q WHERE q.id = p.id AND q.ssn > '5') FROM people p",
       "SELECT x FROM v"},
      {"a count", sql::MySql(),
       "SELECT id, (SELECT count(*) FROM people q WHERE q.ssn > p.ssn) FROM people p",
       "SELECT id FROM v WHERE x > 3"},
      {"a join", Pg(),
       "SELECT id, (SELECT count(*) FROM people a JOIN people b ON a.ssn > b.ssn) FROM people",
       "SELECT x FROM v"},
      {"the first", Pg(), "SELECT id, (SELECT city FROM people ORDER BY ssn LIMIT 1) FROM people",
       "SELECT x FROM v"},
      {"groups", sql::DuckDb(),
       "SELECT id, (SELECT count(*) FROM people GROUP BY ssn LIMIT 1) FROM people",
       "SELECT x FROM v"},
      {"a derived table", sql::Sqlite(),
       "SELECT id, (SELECT count(*) FROM (SELECT 1 FROM people WHERE ssn > '5')) FROM people",
       "SELECT x FROM v"},
      {"how many are passed over", Pg(),
       "SELECT id, (SELECT id FROM people ORDER BY id LIMIT 1 OFFSET (SELECT ssn::int FROM people "
       "LIMIT 1)) FROM people",
       "SELECT x FROM v"},
      {"how many are taken", sql::Sqlite(),
       "SELECT id, (SELECT count(*) FROM (SELECT 1 FROM people LIMIT (SELECT max(ssn) FROM "
       "people))) FROM people",
       "SELECT x FROM v"},
      {"lateral", Pg(),
       "SELECT p.id, l.n FROM people p, LATERAL (SELECT count(*) AS n FROM people q WHERE q.ssn > "
       "p.ssn) l",
       "SELECT x FROM v"},
      {"lateral by a part", Pg(),
       "SELECT p.id, l.n FROM people p, LATERAL (SELECT count(*) AS n FROM people q WHERE "
       "(q.ssn)::character(1) = (p.ssn)::character(1)) l",
       "SELECT x FROM v"},
      {"lateral in lateral", Pg(),
       "SELECT p.id, m.n FROM people p CROSS JOIN LATERAL (SELECT l.n FROM (SELECT 1) o, LATERAL "
       "(SELECT count(*) AS n FROM people q WHERE q.ssn > p.ssn) l) m",
       "SELECT x FROM v"},
      {"a select beside the row", Pg(),
       "SELECT p.id, r.n FROM people p, LATERAL (SELECT count(*) AS n FROM people q WHERE q.ssn < "
       "p.ssn) r",
       "SELECT x FROM v"},
      {"without the word", sql::DuckDb(),
       "SELECT p.id, r.n FROM people p, (SELECT count(*) AS n FROM (SELECT 1 FROM people q WHERE "
       "q.id = p.id AND q.ssn < '5')) r",
       "SELECT x FROM v"},
      {"through a view", Pg(),
       "SELECT id, EXISTS (SELECT 1 FROM people q WHERE q.ssn > '5') FROM people",
       "SELECT y FROM w"}};
  for (const Case& one : cases)
    EXPECT_THAT(Approve(one), IsError(ErrorKind::PiiBlocked)) << one.name;
  const Case honest[] = {
      {"a join by equality", Pg(),
       "SELECT id, (SELECT count(*) FROM people q WHERE q.ssn = p.ssn AND q.city > 'a') FROM "
       "people p",
       "SELECT x FROM v"},
      {"lateral by equality", Pg(),
       "SELECT p.id, l.n FROM people p, LATERAL (SELECT count(*) AS n FROM people q WHERE q.ssn = "
       "p.ssn) l",
       "SELECT x FROM v"},
      {"lateral by equality of varchar", Pg(),
       "SELECT p.id, l.n FROM people p, LATERAL (SELECT count(*) AS n FROM people q WHERE "
       "(((q.ssn)::text = (p.ssn)::text) AND q.id > 1)) l",
       "SELECT x FROM v"},
      {"beside lateral", Pg(),
       "SELECT p.id, p.city FROM people p, LATERAL (SELECT count(*) AS n FROM people q WHERE q.ssn "
       "> p.ssn) l",
       "SELECT x FROM v"},
      {"another window", Pg(), "SELECT id, rank() OVER w FROM people WINDOW w AS (ORDER BY city)",
       "SELECT x FROM v"},
      {"rows of the view", Pg(), "SELECT id, city FROM people WHERE ssn > '5'", "SELECT x FROM v"},
      {"rows of a table in it", sql::DuckDb(),
       "SELECT p.id, r.n FROM people p, (SELECT count(*) AS n FROM people WHERE ssn > '5') r",
       "SELECT x FROM v"}};
  for (const Case& one : honest) EXPECT_THAT(Approve(one), IsOk()) << one.name;
}

TEST(Lineage, RowsThatAFunctionRepeatsByABlockedColumnTellOfIt) {
  const sql::Dialect &pg = Pg(), &lite = sql::Sqlite(), &duck = sql::DuckDb();
  const Case cases[] = {
      {"in the list", pg, "SELECT id, generate_series(1, ssn::int) AS x FROM people",
       "SELECT id FROM v"},
      {"counted", pg, "SELECT id, unnest(string_to_array(ssn, NULL)) AS x FROM people",
       "SELECT count(*) FROM v"},
      {"within an expression", pg, "SELECT id, (json_each(ssn::json)).key || 'a' FROM people",
       "SELECT id FROM w"},
      {"one that no statement may call", pg,
       "SELECT id, jsonb_path_query_tz(ssn::jsonb, '$') FROM people", "SELECT id FROM v"},
      {"a count in the list", pg,
       "SELECT id, (SELECT count(*) FROM generate_series(1, ssn::int)) FROM people",
       "SELECT x FROM v"},
      {"a count of SQLite", lite, "SELECT id, (SELECT count(*) FROM json_each(ssn)) FROM people",
       "SELECT x FROM v"},
      {"exists", pg, "SELECT id, EXISTS (SELECT 1 FROM generate_series(1, ssn::int)) FROM people",
       "SELECT x FROM v"},
      {"in FROM", pg, "SELECT p.id, g FROM people p, generate_series(1, p.ssn::int) g",
       "SELECT id FROM v"},
      {"in FROM of SQLite", lite, "SELECT p.id, 1 FROM people p, json_each(p.ssn)",
       "SELECT id FROM v"},
      {"of DuckDB", duck, "SELECT id, unnest(string_split(ssn, '')) FROM people",
       "SELECT id FROM v"},
      {"of a select beside", pg,
       "SELECT p.id, p.city FROM people p, LATERAL (SELECT unnest(string_to_array(p.ssn, ''))) g",
       "SELECT id FROM v"},
      {"in a common table", pg,
       "WITH c AS (SELECT id, city, unnest(string_to_array(ssn, '')) FROM people) SELECT id, city "
       "FROM c",
       "SELECT id FROM v"}};
  for (const Case& one : cases)
    EXPECT_THAT(Approve(one), IsError(ErrorKind::PiiBlocked)) << one.name;
  const Case honest[] = {
      {"by another", pg, "SELECT id, unnest(string_to_array(city, ',')) FROM people",
       "SELECT x FROM v"},
      {"of an expression", pg,
       "SELECT id, (SELECT count(*) FROM generate_series(1, ssn::int)) FROM people",
       "SELECT id FROM v"},
      {"one row", pg,
       "SELECT p.id, l.n FROM people p, LATERAL (SELECT max(g) AS n FROM "
       "unnest(string_to_array(p.ssn, '')) g) l",
       "SELECT id FROM v"},
      {"a list of DuckDB", duck, "SELECT id, range(ssn) FROM people", "SELECT id FROM v"}};
  for (const Case& one : honest) EXPECT_THAT(Approve(one), IsOk()) << one.name;
}

TEST(Lineage, OtherColumnsAndRowsOfSuchAViewAreRead) {
  const Case cases[] = {
      {"another column", Pg(), "SELECT id, f(id) FROM people", "SELECT id FROM v"},
      {"rows", Pg(), "SELECT id, f(id) FROM people", "SELECT count(*) FROM v"},
      {"another column of a view over it", Pg(), "SELECT id, f(id) FROM people",
       "SELECT id FROM w"},
      {"the owner's condition", Pg(), "SELECT id, city FROM people WHERE f(id)", "SELECT x FROM v"},
      {"listed functions", Pg(), "SELECT id, upper(city) FROM people", "SELECT x FROM v"},
      {"catalog's functions", Pg(), "SELECT id, pg_catalog.upper(city) FROM people",
       "SELECT x FROM v"},
      {"xpath", Pg(), "SELECT id, (xpath('/a', city::xml))[1]::text FROM people",
       "SELECT x FROM v"},
      {"sqlite", sql::Sqlite(), "SELECT id, f(id) FROM people", "SELECT id FROM v"},
      {"mysql", sql::MySql(), "SELECT id, f(id) FROM people", "SELECT count(*) FROM v"},
      {"duckdb", sql::DuckDb(), "SELECT id, f(id) FROM people", "SELECT id FROM v"},
  };
  for (const Case& one : cases) EXPECT_THAT(Approve(one), IsOk()) << one.name;
}

TEST(Lineage, AColumnThatThePolicyAnswersForIsRead) {
  privacy::PolicyData data;
  data.overrides.push_back({"v.x", {}, privacy::Sensitivity::Public, "f only formats"});
  const Case one{"", Pg(), "SELECT id, f(id) FROM people", "SELECT x FROM v"};
  EXPECT_THAT(Approve(one, privacy::Policy(data)), IsOk());
  data.overrides.front().reason.clear();
  EXPECT_THAT(Approve(one, privacy::Policy(data)),
              IsError(ErrorKind::PolicyBlocked, HasSubstr("function")));
}

TEST(Lineage, AViewCastsToAnyType) {
  for (const char* made : {"CAST(city AS money)", "('<a>' || city)::xml", "city::public.geometry",
                           "city::geometry(Point, 4326)", "city::xml[]", "'people'::regclass"}) {
    const std::string view = "SELECT id, " + std::string(made) + " FROM people";
    EXPECT_THAT(Approve({"", Pg(), view, "SELECT x FROM v"}), IsOk()) << made;
    const std::string statement = "SELECT " + std::string(made) + " FROM people";
    EXPECT_THAT(Approve({"", Pg(), view, statement}), IsError(ErrorKind::NotARead)) << made;
  }
  EXPECT_THAT(Approve({"", Pg(), "SELECT id, ssn::money FROM people", "SELECT x FROM v"}),
              IsError(ErrorKind::PiiBlocked));
}

TEST(Lineage, ARecursionHandsAValueOnFromColumnToColumn) {
  constexpr std::string_view kSteps =
      "WITH RECURSIVE r(a, b, c, d, n) AS (SELECT city, city, city, ssn, 0 FROM people UNION ALL "
      "SELECT r.b, r.c, r.d, p.city, r.n + 1 FROM r JOIN people p ON p.id = 1 WHERE r.n < 5) "
      "SELECT n, a FROM r";
  for (const auto dialect : {sql::Postgres, sql::Sqlite, sql::MySql, sql::DuckDb}) {
    EXPECT_THAT(Approve({"", dialect(), kSteps, "SELECT x FROM v"}),
                IsError(ErrorKind::PiiBlocked));
    EXPECT_THAT(Approve({"", dialect(), kSteps, "SELECT id FROM v"}), IsOk());
  }
}

TEST(Lineage, ARecursionThroughTooManyColumnsIsNotKnown) {
  constexpr int kColumns = 70;  // more than are followed
  std::string names = "n", first = "0", step = "r.n + 1";
  for (int i = 0; i < kColumns; ++i) {
    names += fmt::format(", c{}", i);
    first += i + 1 < kColumns ? ", city" : ", ssn";
    step += i + 1 < kColumns ? fmt::format(", r.c{}", i + 1) : ", p.city";
  }
  const std::string view = fmt::format(
      "WITH RECURSIVE r({}) AS (SELECT {} FROM people UNION ALL SELECT {} FROM r JOIN people p ON "
      "p.id = 1 WHERE r.n < 99) SELECT n, c0 FROM r",
      names, first, step);
  EXPECT_THAT(Approve({"", Pg(), view, "SELECT x FROM v"}), IsError(ErrorKind::PolicyBlocked));
}

TEST(Lineage, AUnionByNamePutsColumnsTogetherByTheirNames) {
  constexpr std::string_view kView =
      "SELECT 'a' AS x, id FROM people UNION ALL BY NAME SELECT id, ssn AS x FROM people";
  for (const std::string_view text : {"SELECT id FROM v", "SELECT count(*) FROM v WHERE id = 'a'"})
    EXPECT_THAT(Approve({"", sql::DuckDb(), kView, text}), IsError(ErrorKind::PiiBlocked)) << text;
  EXPECT_THAT(Approve({"", sql::DuckDb(), kView, "SELECT x FROM v"}), IsOk());  // it is the second
}

TEST(Lineage, AnOutputIsSpelledAsItsTableSpellsIt) {
  const auto approved =
      Approve({"", sql::DuckDb(), "", "SELECT d.ID FROM (SELECT Id FROM people) AS d"});
  ASSERT_THAT(approved, IsOk());
  EXPECT_EQ(approved->text(),
            R"(SELECT "d"."id" FROM (SELECT "id" FROM "main"."people" AS "people") AS "d")");
}

}  // namespace
}  // namespace schemaward::guard
