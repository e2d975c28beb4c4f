// Names behind a dot that an engine can take for something else than a column.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "guard/test_tables.h"

namespace schemaward::guard {
namespace {

Result<Approved> Approve(std::string_view text, const sql::Dialect& dialect = sql::Postgres()) {
  const std::string_view schema = dialect.default_schema;
  auto people = MakeTable("people", {"id", "city", "place", "places", "mood", "ssn"}, schema);
  people.columns[1].type = "text";
  people.columns[2].type = "public.address";
  people.columns[3].type = "public.address[]";
  people.columns[3].is_array = true;
  people.columns[4].type = "public.mood";
  people.columns[4].labels = {"sad"};
  people.columns[5].type = "text";
  return ApproveOver(text, dialect, {people});
}

TEST(Fields, WhatCanBeACallOfAFunctionIsNone) {
  for (const char* text :
       {"SELECT ('/etc/passwd'::text).pg_read_file", "SELECT (city).pg_read_file FROM people",
        "SELECT (upper(city)).pg_read_file FROM people",
        "SELECT ((place).street).pg_read_file FROM people", "SELECT (mood).lo_import FROM people",
        "SELECT (q.x).pg_sleep FROM (SELECT 1 AS x) q",
        "SELECT (q.x).pg_read_file FROM (SELECT place::text AS x FROM people) q",
        "SELECT ((SELECT 'x'::text)).pg_ls_dir", "SELECT (ARRAY['x'::text])[1].pg_read_file",
        "SELECT (u).pg_read_file FROM unnest(ARRAY['x'::text]) u",
        "SELECT (g.x).pg_sleep FROM generate_series(1, 1) g(x)",
        "SELECT (place).pg_relation_size FROM people", "SELECT (place).regclass FROM people",
        "SELECT (places).street FROM people", "SELECT (c).xml FROM pg_class c"})
    EXPECT_THAT(Approve(text), IsError(ErrorKind::NotARead)) << text;
}

TEST(Fields, AFunctionInFromHasTheColumnsThatItGives) {
  for (const char* text :
       {"SELECT g.pg_sleep FROM generate_series(1, 1) g",
        "SELECT generate_series.pg_sleep FROM generate_series(1, 1)",
        "SELECT u.pg_read_file FROM unnest(ARRAY['/etc/passwd'::text]) WITH ORDINALITY u",
        "SELECT g.pg_sleep FROM generate_series(1, 1) AS g(x)",
        "SELECT (SELECT g.pg_sleep) FROM generate_series(1, 1) g", "SELECT c.xml FROM pg_class c",
        "SELECT c.row_to_json FROM pg_class c", "SELECT a.tsvector FROM pg_attribute a",
        "SELECT r.to_json FROM information_schema.routines r"})
    EXPECT_THAT(Approve(text), IsError(ErrorKind::SqlUnknownName)) << text;
}

TEST(Fields, OthersAreRead) {
  for (const char* text :
       {"SELECT (place).street, (people.place).zip, (places[1]).zip FROM people",
        "SELECT (people).city FROM people", "SELECT (json_each('{}')).key",
        "SELECT j.key, j.value FROM jsonb_each('{}') j",
        "SELECT e.value, e.ordinality FROM json_array_elements('[1]') WITH ORDINALITY e",
        "SELECT e.a FROM json_to_record('{}') AS e(a int)",
        "SELECT generate_series.generate_series FROM generate_series(1, 2)",
        "SELECT d.d FROM generate_series(1, 2) d", "SELECT c.oid, c.relname FROM pg_class c",
        "SELECT r.routine_name FROM information_schema.routines r",
        "SELECT a.attname FROM pg_attribute a"})
    EXPECT_THAT(Approve(text), IsOk()) << text;
}

TEST(Fields, WhereARowStandsIsNotReadBesideAFunction) {
  for (const char* text :
       {"SELECT ctid FROM people, generate_series(1, 1)",
        "SELECT (SELECT \"xmin\" FROM generate_series(1, 1)) FROM people",
        "SELECT (SELECT ctid FROM people LIMIT 1) FROM generate_series(1, 1)",
        "SELECT id FROM people ORDER BY (SELECT TableOid FROM pg_class LIMIT 1)"})
    EXPECT_THAT(Approve(text), IsError(ErrorKind::SqlUnknownName)) << text;
  EXPECT_THAT(Approve("SELECT (SELECT _RowId FROM information_schema.schemata LIMIT 1) FROM people",
                      sql::MySql()),
              IsError(ErrorKind::SqlUnknownName));
  EXPECT_THAT(Approve("SELECT oid, xmin FROM pg_class"), IsOk());
  EXPECT_THAT(Approve("SELECT oid FROM people, pg_class"), IsOk());
}

TEST(Fields, AColumnThatIsNotListedComesBeforeAnOutputOfItsName) {
  for (const char* text : {"SELECT 1 AS tableoid, min(id) FROM people GROUP BY tableoid",
                           "SELECT 'x' AS ctid, count(*) FROM people GROUP BY ctid"})
    EXPECT_THAT(Approve(text), IsError(ErrorKind::SqlUnknownName)) << text;
  for (const char* text : {"SELECT 1 AS _rowid FROM people GROUP BY _rowid",
                           "SELECT 1 AS row_start FROM people GROUP BY row_start",
                           "SELECT Row_End FROM people, information_schema.schemata"})
    EXPECT_THAT(Approve(text, sql::MySql()), IsError(ErrorKind::SqlUnknownName)) << text;
  EXPECT_THAT(Approve("SELECT 'x' AS relpages, count(*) FROM pg_class GROUP BY relpages"),
              IsError(ErrorKind::NotARead));
  EXPECT_THAT(Approve("SELECT city AS oid, count(*) FROM people GROUP BY oid"), IsOk());
  auto keyed = MakeTable("keyed", {"ssn", "n"});
  keyed.columns[0].type = "INTEGER";
  keyed.primary_key = catalog::Key{"", {"ssn"}};
  for (const char* text :
       {"SELECT n AS rowid FROM keyed WHERE rowid > 3", "SELECT n AS oid FROM keyed GROUP BY oid",
        "SELECT n AS \"rowid\" FROM keyed WHERE \"rowid\" > 3",
        "SELECT max(n) AS _rowid_ FROM keyed HAVING _rowid_ > 3"})
    EXPECT_THAT(ApproveOver(text, sql::Sqlite(), {keyed}), IsError(ErrorKind::PiiBlocked)) << text;
}

TEST(Fields, AnEstimateOfRowsIsThatOfATable) {
  const auto approved = Approve("SELECT c.reltuples FROM pg_class c WHERE reltuples > 3");
  EXPECT_THAT(Approve("SELECT C.RELTUPLES FROM PG_CLASS C"), IsOk());
  ASSERT_THAT(approved, IsOk());
  constexpr std::string_view kCase =
      R"((CASE WHEN ("c"."relkind" IN ('r', 'p', 'm', 'f')) THEN "c"."reltuples" ELSE (- 1) END))";
  EXPECT_EQ(approved->text(), "SELECT " + std::string(kCase) +
                                  R"( AS "reltuples" FROM "pg_catalog"."pg_class" AS "c" WHERE ()" +
                                  std::string(kCase) + " > 3)");
  for (const char* text : {"SELECT (SELECT reltuples FROM generate_series(1, 1)) FROM pg_class",
                           "SELECT 1 FROM pg_class a JOIN pg_class b USING (reltuples)",
                           "SELECT relkind AS reltuples FROM pg_class GROUP BY reltuples, relkind",
                           "SELECT relpartbound FROM pg_class"})
    EXPECT_THAT(Approve(text), IsError(ErrorKind::NotARead)) << text;
}

}  // namespace
}  // namespace schemaward::guard
