// Names that engines look for in the selects around, though a table of the select could have them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "guard/test_tables.h"

namespace schemaward::guard {
namespace {

struct Case {
  std::string_view name;
  const sql::Dialect& dialect;
  std::string_view statement;  ///< of tables people (id, city, ssn) and orders (id, person_id)
};

Result<Approved> Approve(const Case& one, const privacy::Policy& policy = privacy::Policy()) {
  const std::string_view schema = one.dialect.default_schema;
  return ApproveOver(one.statement, one.dialect,
                     {MakeTable("people", {"id", "city", "ssn"}, schema),
                      MakeTable("orders", {"id", "person_id"}, schema)},
                     policy);
}

TEST(Around, TheNumberOfARowHasNoFields) {
  for (const char* text :
       {"SELECT rowid.ssn FROM people", "SELECT id FROM people p ORDER BY rowid.ssn",
        "SELECT (SELECT \"rowid\".city) FROM people"})
    EXPECT_THAT(Approve({"", sql::DuckDb(), text}), IsError(ErrorKind::SqlUnknownName)) << text;
  EXPECT_THAT(Approve({"", sql::DuckDb(), "SELECT rowid, p.rowid FROM people p"}), IsOk());
}

TEST(Around, ABlockedColumnIsMeantThoughAnotherTableComesFirst) {
  const sql::Dialect &pg = sql::Postgres(), &lite = sql::Sqlite(), &my = sql::MySql(),
                     &duck = sql::DuckDb();
  const Case cases[] = {
      {"function", pg, "SELECT (SELECT ssn FROM generate_series(1, 1) g) FROM people"},
      {"catalog", pg, "SELECT (SELECT max(ssn) FROM pg_class) FROM people"},
      {"function of DuckDB", duck, "SELECT (SELECT ssn FROM range(1)) FROM people"},
      {"function of SQLite", lite, "SELECT (SELECT ssn FROM json_each('[1]')) FROM people"},
      {"in double quotes", lite, "SELECT (SELECT \"ssn\" FROM json_each('[1]')) FROM people"},
      {"qualified", lite, "SELECT (SELECT p.ssn FROM json_each('[1]') p) FROM people p"},
      {"qualified in MySQL", my,
       "SELECT (SELECT t.ssn FROM information_schema.tables t LIMIT 1) FROM people t"},
      {"two selects around", my,
       "SELECT (SELECT (SELECT ssn FROM information_schema.tables LIMIT 1) FROM orders LIMIT 1) "
       "FROM people"},
      {"a table of its name", pg, "SELECT (SELECT ssn FROM orders ssn LIMIT 1) FROM people"},
      {"a field", pg, "SELECT (SELECT (ssn).id FROM orders ssn LIMIT 1) FROM people"},
      {"a row", pg, "SELECT (SELECT p FROM generate_series(1, 1)) FROM people p"},
      {"a row beside", pg,
       "SELECT count(*) FROM people p JOIN generate_series(1, 3) g ON p IS NOT NULL"},
      {"a row, to DuckDB", duck, "SELECT (SELECT to_json(p) FROM range(1)) FROM people p"},
      {"USING", pg, "SELECT count(*) FROM people JOIN unnest(ARRAY['x']) AS u(ssn) USING (ssn)"},
      {"USING, on the right", pg,
       "SELECT 1 FROM unnest(ARRAY['x']) AS u(ssn) LEFT JOIN people USING (ssn)"},
      {"USING of a pivot", duck,
       "SELECT 1 FROM people JOIN (PIVOT (SELECT 'x' AS ssn, 1 AS k) ON k IN (1) USING count(*) "
       "GROUP BY ssn) q USING (ssn)"},
      {"beside, without LATERAL", duck,
       "SELECT (SELECT min(x) FROM people p, (SELECT p.ssn AS x) d) FROM (SELECT 1 AS ssn) p"},
      {"behind ON", lite,
       "SELECT (SELECT count(*) FROM orders a JOIN orders b ON p.ssn > '4' JOIN people p) FROM "
       "(SELECT 1 AS ssn) p"},
      {"behind an argument", lite,
       "SELECT (SELECT count(*) FROM json_each(ssn), people) FROM (SELECT '[]' AS ssn) p"},
      {"behind ON, in a subquery", lite,
       "SELECT (SELECT count(*) FROM orders a JOIN orders b ON EXISTS (SELECT 1 WHERE p.ssn > '4') "
       "JOIN people p) FROM (SELECT 1 AS ssn) p"}};
  for (const Case& one : cases)
    EXPECT_THAT(Approve(one), IsError(ErrorKind::PiiBlocked)) << one.name;
}

TEST(Around, TheRightSideOfASemiJoinIsOutOfSight) {
  const sql::Dialect& duck = sql::DuckDb();
  const Case cases[] = {
      {"semi", duck,
       "SELECT (SELECT ssn FROM orders o SEMI JOIN (SELECT 1 AS id, 2 AS ssn) e ON o.id = e.id) "
       "FROM people"},
      {"anti, qualified", duck,
       "SELECT (SELECT e.ssn FROM orders o ANTI JOIN (SELECT 1 AS id, 2 AS ssn) e USING (id)) "
       "FROM people e"}};
  for (const Case& one : cases)
    EXPECT_THAT(Approve(one), IsError(ErrorKind::PiiBlocked)) << one.name;
  const auto star = Approve({"star", duck, "SELECT * FROM orders SEMI JOIN people USING (id)"});
  ASSERT_THAT(star, IsOk());
  EXPECT_THAT(star->text(), ::testing::StartsWith("SELECT \"id\", \"orders\".\"person_id\" FROM"));
}

TEST(Around, ColumnsOfSqliteThatNoCatalogListsAreMeantFirst) {
  const sql::Dialect& lite = sql::Sqlite();
  catalog::Table citizen = MakeTable("citizen", {"ssn", "city"});
  citizen.columns.front().type = "INTEGER";
  citizen.primary_key = catalog::Key{"", {"ssn"}};
  const std::vector<catalog::Table> tables = {citizen, MakeTable("docs", {"title", "ssn"}),
                                              MakeTable("orders", {"id", "person_id"})};
  for (const std::string_view text :
       {"SELECT (SELECT rowid FROM orders LIMIT 1) FROM citizen",
        "SELECT (SELECT o.rowid FROM orders o LIMIT 1) FROM citizen o",
        "SELECT _rowid_ FROM orders, citizen", "SELECT city AS oid FROM citizen WHERE oid > 5",
        "SELECT (SELECT count(*) FROM docs WHERE docs = 'x') FROM (SELECT 1 AS docs) q",
        "SELECT count(*) FROM docs d, json_each('[1]') WHERE docs = 'x'",
        "SELECT title AS rank FROM docs WHERE rank < 0",
        "SELECT 1 FROM docs JOIN (SELECT 1 AS docs) a JOIN (SELECT 2 AS docs) b USING (docs)"})
    EXPECT_THAT(ApproveOver(text, lite, tables), IsError(ErrorKind::PiiBlocked)) << text;
  EXPECT_THAT(ApproveOver("SELECT rowid, title FROM docs ORDER BY oid", lite, tables), IsOk());
}

// The text of a view of DuckDB means the tables of its own schema first.
TEST(Around, AViewReadsItsOwnSchemaFirst) {
  catalog::Table view = MakeTable("v", {"c"}, "other");
  view.kind = catalog::TableKind::View;
  const catalog::Table harmless = MakeTable("t", {"city"}),
                       other = MakeTable("t", {"city"}, "other");
  view.definition = "SELECT city AS c FROM t";
  privacy::PolicyData data;
  data.overrides = {{"other.t.city", {privacy::Category::Contact}, privacy::Sensitivity::Pii, ""}};
  EXPECT_THAT(ApproveOver("SELECT c FROM other.v", sql::DuckDb(), {view, harmless, other},
                          privacy::Policy(std::move(data))),
              IsError(ErrorKind::PiiBlocked));
}

// a.b is a field of a column a where no table in sight has a column b.
TEST(Around, AFieldOfABlockedColumnIsMeantThoughATableIsCalledAsIt) {
  const sql::Dialect& duck = sql::DuckDb();
  const Case cases[] = {
      {"a table around", duck,
       "SELECT (SELECT ssn.x FROM people LIMIT 1) FROM (SELECT 1 AS x) AS ssn"},
      {"a function beside", duck, "SELECT ssn.x FROM people, range(3) AS ssn"},
      {"a function before", duck, "SELECT ssn.x FROM range(3) AS ssn, people"},
      {"a relation of the catalog", duck,
       "SELECT ssn.x FROM people, information_schema.tables ssn"},
      {"a function inside", duck, "SELECT q.x FROM people, (SELECT ssn.x FROM range(1) AS ssn) q"},
      {"a lambda", duck, "SELECT list_transform([{'x': 1}], ssn -> ssn.x) FROM people"},
      {"an aggregate in a lambda", duck, "SELECT list_transform([1], ssn -> max(ssn)) FROM people"},
      {"a window in a lambda", duck,
       "SELECT list_transform([1], ssn -> rank() OVER (ORDER BY ssn)) FROM people"},
      {"a row beside an output", duck, "SELECT 1 AS p, p AS q FROM orders, people p"},
      {"an output", duck, "SELECT {'x': id} AS ssn FROM people ORDER BY ssn.x"}};
  for (const Case& one : cases)
    EXPECT_THAT(Approve(one), IsError(ErrorKind::PiiBlocked)) << one.name;
  EXPECT_THAT(Approve({"its own column", duck, "SELECT ssn.id FROM orders ssn"}), IsOk());
}

TEST(Around, WhatTellsOfValuesIsNotReadFromInside) {
  const Case cases[] = {
      {"a size", sql::Postgres(),
       "SELECT (SELECT relpages FROM generate_series(1, 1)) FROM pg_class"},
      {"a row with sizes", sql::Postgres(),
       "SELECT (SELECT c FROM generate_series(1, 1)) FROM pg_class c"},
      {"a count of values", sql::MySql(),
       "SELECT (SELECT s.cardinality FROM information_schema.schemata s LIMIT 1) FROM "
       "information_schema.statistics s"}};
  for (const Case& one : cases) EXPECT_THAT(Approve(one), IsError(ErrorKind::NotARead)) << one.name;
}

TEST(Around, OtherColumnsAreReadThere) {
  const sql::Dialect &pg = sql::Postgres(), &lite = sql::Sqlite(), &duck = sql::DuckDb();
  const Case cases[] = {
      {"function", pg, "SELECT (SELECT city FROM generate_series(1, 1) g) FROM people"},
      {"its own column", pg,
       "SELECT id, (SELECT max(g) FROM generate_series(1, 3) g WHERE g > 1) FROM people"},
      {"USING", pg, "SELECT city FROM people JOIN unnest(ARRAY['x']) AS u(city) USING (city)"},
      {"a table's row", pg, "SELECT (SELECT o FROM orders o LIMIT 1) FROM people"},
      {"function of SQLite", lite,
       "SELECT (SELECT group_concat(value) FROM json_each('[1]')) FROM people"},
      {"a row's number, in quotes", lite, "SELECT \"rowid\" FROM orders WHERE [oid] > 1"},
      {"beside, without LATERAL", duck, "SELECT d.x FROM people p, (SELECT upper(p.city) AS x) d"}};
  for (const Case& one : cases) EXPECT_THAT(Approve(one), IsOk()) << one.name;
}

}  // namespace
}  // namespace schemaward::guard
