// Columns of views and of tables made by queries.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "connect/ddl/test_support.h"

namespace schemaward::connect::ddl {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::string_view kTables = R"(
CREATE TYPE state AS ENUM ('on', 'off');
CREATE TABLE a (id int, n numeric(5,2), t varchar(9), s state, at timestamptz, d date, j jsonb, tags text[]);
CREATE TABLE b (id int, a_id bigint, f float8);
)";

struct Case {
  const char* name;
  const char* query;
  std::string expected;  ///< name:type, with ? for a type that is not known
};

std::string Shape(const catalog::Table& table) {
  std::string shape;
  for (const catalog::Column& column : table.columns) {
    if (!shape.empty()) shape += ", ";
    shape += column.name + ":" + (column.type.empty() ? "?" : column.type);
  }
  return shape;
}

class ViewCases : public ::testing::TestWithParam<Case> {};

TEST_P(ViewCases, HaveTheColumnsOfTheirQuery) {
  const catalog::Database database =
      Read(std::string(kTables) + "CREATE VIEW v AS " + GetParam().query + ";");
  EXPECT_EQ(Shape(TableOf(database, "public.v")), GetParam().expected) << GetParam().name;
}

INSTANTIATE_TEST_SUITE_P(
    All, ViewCases,
    ::testing::Values(
        Case{"star", "SELECT * FROM b", "id:integer, a_id:bigint, f:double precision"},
        Case{"qualified_star", "SELECT x.*, b.f FROM b x, b",
             "id:integer, a_id:bigint, f:double precision"},
        Case{"alias", "SELECT q.n AS price, q.t other FROM a q",
             "price:numeric(5,2), other:character varying(9)"},
        Case{"alias_columns", "SELECT * FROM b AS q (x, y)",
             "x:integer, y:bigint, f:double precision"},
        Case{"join_using", "SELECT * FROM b JOIN (SELECT id, n FROM a) q USING (id)",
             "id:integer, a_id:bigint, f:double precision, n:numeric(5,2)"},
        Case{"natural",
             "SELECT * FROM (SELECT id, d FROM a) x NATURAL JOIN (SELECT id, f FROM b) y",
             "id:integer, d:date, f:double precision"},
        Case{"casts", "SELECT id::text, CAST(n AS bigint) AS m, '1'::int FROM a",
             "id:text, m:bigint, int4:integer"},
        Case{
            "aggregates",
            "SELECT count(*), sum(id), sum(n) AS total, avg(f), max(t), min(n) AS low FROM a, b",
            "count:bigint, sum:bigint, total:numeric, avg:double precision, max:text, low:numeric"},
        Case{"aggregate_of_qualified", "SELECT sum(a.id) FROM a, b", "sum:bigint"},
        Case{"case",
             "SELECT CASE WHEN id = 1 THEN 'x' ELSE 'y' END, CASE id WHEN 1 THEN n END AS m FROM a",
             "case:text, m:numeric(5,2)"},
        Case{"coalesce", "SELECT coalesce(n, 0), greatest(id, 1), nullif(t, '') FROM a",
             "coalesce:numeric, greatest:integer, nullif:character varying(9)"},
        Case{"conditions",
             "SELECT id = 1 AS one, s IS NULL AS no, id IN (1) OR id > 2 AS any FROM a",
             "one:boolean, no:boolean, any:boolean"},
        Case{"arithmetic",
             "SELECT id + 1 AS p, n * 2 AS q, at - at AS r, d + 1 AS w, f / 2 AS z FROM a, b",
             "p:integer, q:numeric, r:interval, w:date, z:double precision"},
        Case{"text",
             "SELECT t || 'x' AS c, lower(t), length(t) AS n, j ->> 'k' AS k, j -> 'k' AS o FROM a",
             "c:text, lower:text, n:integer, k:text, o:jsonb"},
        Case{"functions",
             "SELECT now(), date_trunc('day', at) AS day, public.own(id), unknown(id) FROM a",
             "now:timestamp with time zone, day:timestamp with time zone, own:?, unknown:?"},
        Case{"values", "SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS q (k, v)",
             "k:integer, v:text"},
        Case{"subquery",
             "SELECT (SELECT max(id) FROM b) AS m, EXISTS (SELECT 1), ARRAY(SELECT id FROM b) AS "
             "all_ids FROM a",
             "m:integer, exists:boolean, all_ids:integer[]"},
        Case{"with", "WITH q (k) AS (SELECT id FROM a) SELECT k, q.k AS again FROM q",
             "k:integer, again:integer"},
        Case{"recursive",
             "WITH RECURSIVE q AS (SELECT id, f FROM b UNION ALL SELECT id, f FROM q) SELECT * "
             "FROM q",
             "id:integer, f:double precision"},
        Case{"union", "SELECT id, n FROM a UNION SELECT id, f FROM b", "id:integer, n:?"},
        Case{"lateral", "SELECT q.m FROM a, LATERAL (SELECT a.n AS m) q", "m:numeric(5,2)"},
        Case{"series", "SELECT g, tag FROM generate_series(1, 3) g, a, unnest(a.tags) AS tag",
             "g:integer, tag:text"},
        Case{"labels", "SELECT s FROM a", "s:public.state"},
        Case{"question", "SELECT 1", "?column?:integer"},
        Case{"constants",
             "SELECT 1 AS i, 1.5 AS n, 'x' AS t, true AS b, NULL AS u, current_date, 5000000000 AS "
             "g",
             "i:integer, n:numeric, t:text, b:boolean, u:text, current_date:date, g:bigint"}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(Views, NameTheirOwnColumns) {
  const catalog::Database database =
      Read(std::string(kTables) + "CREATE VIEW v (x, y) AS SELECT id, n, t FROM a;");
  EXPECT_EQ(Shape(TableOf(database, "public.v")),
            "x:integer, y:numeric(5,2), t:character varying(9)");
}

TEST(Views, SayWhenColumnsAreNotKnown) {
  const catalog::Database database =
      Read("CREATE TABLE a (id int); CREATE VIEW v AS SELECT a.id, w.* FROM a, elsewhere.w;");
  EXPECT_EQ(Shape(TableOf(database, "public.v")), "id:integer");
  ASSERT_THAT(database.missing, SizeIs(1));
  EXPECT_EQ(database.missing[0].object, "public.v");
}

TEST(Views, AreReplacedByTheLaterOne) {
  const catalog::Database database = Read(std::string(kTables) + R"(
CREATE VIEW v AS SELECT NULL::integer AS x;
CREATE OR REPLACE VIEW v AS SELECT id AS x, n FROM a;)");
  EXPECT_THAT(database.missing, IsEmpty());
  EXPECT_EQ(Shape(TableOf(database, "public.v")), "x:integer, n:numeric(5,2)");
}

TEST(Views, OfEveryKindAreThere) {
  const catalog::Database database = Read(std::string(kTables) + R"(
CREATE MATERIALIZED VIEW m AS SELECT s FROM a WITH NO DATA;
CREATE UNIQUE INDEX ON m (s);
COMMENT ON MATERIALIZED VIEW m IS 'kept'; COMMENT ON COLUMN m.s IS 'state';
CREATE TABLE made AS SELECT id FROM a; SELECT f INTO chosen FROM b;
CREATE FOREIGN TABLE far (id int) SERVER x;)");
  EXPECT_THAT(database.missing, IsEmpty());
  const catalog::Table& kept = TableOf(database, "public.m");
  EXPECT_EQ(kept.kind, catalog::TableKind::MaterializedView);
  EXPECT_EQ(kept.comment, "kept");
  EXPECT_THAT(kept.columns.at(0).labels, ::testing::ElementsAre("on", "off"));
  EXPECT_THAT(kept.unique_keys, SizeIs(1));
  EXPECT_EQ(Shape(TableOf(database, "public.made")), "id:integer");
  EXPECT_EQ(Shape(TableOf(database, "public.chosen")), "f:double precision");
  EXPECT_EQ(TableOf(database, "public.far").kind, catalog::TableKind::ForeignTable);
}

}  // namespace
}  // namespace schemaward::connect::ddl
