// What statements do to tables, keys and types.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "connect/ddl/test_support.h"

namespace schemaward::connect::ddl {
namespace {

using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::SizeIs;

std::vector<std::string> ColumnNames(const catalog::Table& table) {
  std::vector<std::string> names;
  for (const catalog::Column& column : table.columns) names.push_back(column.name);
  return names;
}

std::vector<std::string> TableNames(const catalog::Database& database) {
  std::vector<std::string> names;
  for (const catalog::Table& table : database.tables)
    names.push_back(catalog::QualifiedName(table));
  return names;
}

struct TypeCase {
  const char* name;
  const char* written;
  const char* printed;
};

class TypeCases : public ::testing::TestWithParam<TypeCase> {};

TEST_P(TypeCases, ArePrintedAsPostgresPrintsThem) {
  const catalog::Database database =
      Read("CREATE TABLE t (c " + std::string(GetParam().written) + ");");
  EXPECT_EQ(TableOf(database, "public.t").columns.at(0).type, GetParam().printed);
}

INSTANTIATE_TEST_SUITE_P(
    All, TypeCases,
    ::testing::Values(
        TypeCase{"int", "int", "integer"}, TypeCase{"int4", "int4", "integer"},
        TypeCase{"quoted_int8", "\"int8\"", "bigint"}, TypeCase{"float_24", "float(24)", "real"},
        TypeCase{"floats", "float", "double precision"},
        TypeCase{"decimals", "decimal(9)", "numeric(9,0)"},
        TypeCase{"varchar_n", "varchar(64)", "character varying(64)"},
        TypeCase{"varchars", "varchar", "character varying"},
        TypeCase{"chars", "char", "character(1)"}, TypeCase{"char_quoted", "\"char\"", "\"char\""},
        TypeCase{"timestamps", "timestamp(0)", "timestamp(0) without time zone"},
        TypeCase{"timestamptzs", "timestamptz", "timestamp with time zone"},
        TypeCase{"times", "time with time zone", "time with time zone"},
        TypeCase{"intervals", "interval day to second(2)", "interval day to second(2)"},
        TypeCase{"bits", "bit", "bit(1)"}, TypeCase{"varbits", "bit varying(3)", "bit varying(3)"},
        TypeCase{"matrix", "int[][3]", "integer[]"}, TypeCase{"array_word", "text array", "text[]"},
        TypeCase{"unseen", "geometry(Point,4326)", "geometry(point,4326)"},
        TypeCase{"unseen_schema", "\"Gis\".geo[]", "\"Gis\".geo[]"},
        TypeCase{"catalog_name", "pg_catalog.timestamptz(3)", "timestamp(3) with time zone"}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(Types, EnumLabelsFollowTheirChanges) {
  const catalog::Database database = Read(R"(
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE TABLE t (m mood, many mood[]);
ALTER TYPE mood ADD VALUE 'happy';
ALTER TYPE mood ADD VALUE IF NOT EXISTS 'ok';
ALTER TYPE mood ADD VALUE 'low' BEFORE 'ok';
ALTER TYPE mood ADD VALUE 'fine' AFTER 'ok';
ALTER TYPE mood RENAME VALUE 'sad' TO 'down';
CREATE SCHEMA feel;
ALTER TYPE mood SET SCHEMA feel;
ALTER TYPE feel.mood RENAME TO temper;)");
  const catalog::Column& one = ColumnOf(TableOf(database, "public.t"), "m");
  EXPECT_THAT(one.labels, ElementsAre("down", "low", "ok", "fine", "happy"));
  EXPECT_EQ(one.type, "feel.temper");
  EXPECT_EQ(ColumnOf(TableOf(database, "public.t"), "many").type, "feel.temper[]");
}

TEST(Types, DomainsShowTheirBase) {
  const catalog::Database database = Read(R"(
CREATE DOMAIN year AS integer CHECK (VALUE >= 1901);
CREATE DOMAIN vintage AS year NOT NULL;
CREATE DOMAIN size AS text CHECK (VALUE IN ('s', 'm'));
CREATE TABLE t (y vintage, s size, ys year[]);)");
  const catalog::Table& table = TableOf(database, "public.t");
  EXPECT_EQ(ColumnOf(table, "y").type, "integer");
  EXPECT_THAT(ColumnOf(table, "y").domain, Optional(Eq("public.vintage")));
  EXPECT_FALSE(ColumnOf(table, "y").nullable);
  EXPECT_THAT(ColumnOf(table, "s").labels, ElementsAre("s", "m"));
  EXPECT_EQ(ColumnOf(table, "ys").type, "public.year[]");
  EXPECT_FALSE(ColumnOf(table, "ys").domain.has_value());
}

TEST(Types, LabelsComeFromEveryShapeOfCheck) {
  const catalog::Database database = Read(R"(
CREATE TABLE t (
  a text CHECK (a IN ('x', 'it''s')),
  b text CHECK (b = ANY (ARRAY['p'::text, 'q'::text])),
  c varchar(5) CHECK (((c)::text = ANY ((ARRAY['r'::character varying, 's'::character varying])::text[]))),
  d int CHECK (d = 1 OR d = 2 OR d IS NULL),
  e int CHECK (e > 0),
  f text CHECK (f IN ('a', 'b') OR d = 1),
  g text CHECK (g NOT IN ('a', 'b')));)");
  const catalog::Table& table = TableOf(database, "public.t");
  EXPECT_THAT(ColumnOf(table, "a").labels, ElementsAre("x", "it's"));
  EXPECT_THAT(ColumnOf(table, "b").labels, ElementsAre("p", "q"));
  EXPECT_THAT(ColumnOf(table, "c").labels, ElementsAre("r", "s"));
  EXPECT_THAT(ColumnOf(table, "d").labels, ElementsAre("1", "2"));
  for (const char* name : {"e", "f", "g"}) EXPECT_THAT(ColumnOf(table, name).labels, IsEmpty());
  EXPECT_EQ(table.checks.at(0).name, "t_a_check");
}

TEST(Tables, AlterTableReachesEverything) {
  const catalog::Database database = Read(R"(
CREATE TABLE parent (id int, old int, gone int UNIQUE, PRIMARY KEY (id));
CREATE TABLE child (a int, parent_id int);
ALTER TABLE ONLY child ADD CONSTRAINT fk FOREIGN KEY (parent_id) REFERENCES parent(id) ON UPDATE CASCADE;
ALTER TABLE parent RENAME COLUMN id TO key;
ALTER TABLE parent RENAME TO ancestor;
ALTER TABLE ancestor DROP COLUMN gone, ADD COLUMN IF NOT EXISTS old int, ADD COLUMN added text DEFAULT 'x' NOT NULL;
ALTER TABLE ancestor ALTER COLUMN old TYPE bigint, ALTER COLUMN old SET NOT NULL, ALTER old SET DEFAULT 7;
ALTER TABLE ancestor ALTER COLUMN added DROP NOT NULL, ALTER COLUMN added DROP DEFAULT;
ALTER TABLE child ALTER COLUMN a ADD GENERATED BY DEFAULT AS IDENTITY;
CREATE SCHEMA s; ALTER TABLE ancestor SET SCHEMA s;
ALTER TABLE child RENAME CONSTRAINT fk TO child_fk;)");
  EXPECT_THAT(database.missing, IsEmpty());
  const catalog::Table& ancestor = TableOf(database, "s.ancestor");
  EXPECT_THAT(ColumnNames(ancestor), ElementsAre("key", "old", "added"));
  EXPECT_THAT(ancestor.unique_keys, IsEmpty());
  EXPECT_EQ(ColumnOf(ancestor, "old").type, "bigint");
  EXPECT_FALSE(ColumnOf(ancestor, "old").nullable);
  EXPECT_THAT(ColumnOf(ancestor, "old").default_value, Optional(Eq("7")));
  EXPECT_TRUE(ColumnOf(ancestor, "added").nullable);
  EXPECT_FALSE(ColumnOf(ancestor, "added").default_value.has_value());
  const catalog::Table& child = TableOf(database, "public.child");
  EXPECT_THAT(ColumnOf(child, "a").identity, Optional(Eq("by default")));
  EXPECT_THAT(child.foreign_keys,
              ElementsAre(catalog::ForeignKey{
                  "child_fk", {"parent_id"}, "s", "ancestor", {"key"}, "cascade", "no action"}));
}

TEST(Tables, ForeignKeysPairColumnsAndWaitForTheirTarget) {
  const catalog::Database database = Read(R"(
CREATE TABLE a (x int, y int, FOREIGN KEY (y, x) REFERENCES b, FOREIGN KEY (x, y) REFERENCES b (q, p));
CREATE TABLE b (p int, q int, PRIMARY KEY (q, p));)");
  EXPECT_THAT(database.missing, IsEmpty());
  const catalog::Table& a = TableOf(database, "public.a");
  ASSERT_THAT(a.foreign_keys, SizeIs(2));
  EXPECT_EQ(a.foreign_keys[0].name, "a_x_y_fkey");
  EXPECT_THAT(a.foreign_keys[0].columns, ElementsAre("x", "y"));
  EXPECT_THAT(a.foreign_keys[0].target_columns, ElementsAre("q", "p"));
  EXPECT_EQ(a.foreign_keys[1].name, "a_y_x_fkey");
  EXPECT_THAT(a.foreign_keys[1].target_columns, ElementsAre("q", "p"));
}

TEST(Tables, MadeUpNamesAreThoseOfPostgres) {
  const catalog::Database database = Read(R"(
CREATE TABLE t (a int UNIQUE, b int CHECK (b > 0) CHECK (b < 9), CHECK (a < b), UNIQUE (a, b), REFERENCES_ int);
CREATE INDEX ON t (a, lower(b::text));
CREATE TABLE a_table_with_a_name_of_some_length_that_is_cut (a_column_with_a_long_name_too int UNIQUE);)");
  const catalog::Table& table = TableOf(database, "public.t");
  std::vector<std::string> names;
  for (const auto& key : table.unique_keys) names.push_back(key.name);
  for (const auto& check : table.checks) names.push_back(check.name);
  for (const auto& index : table.indexes) names.push_back(index.name);
  EXPECT_THAT(names, ElementsAre("t_a_b_key", "t_a_key", "t_b_check", "t_b_check1", "t_check",
                                 "t_a_lower_idx"));
  const auto& cut =
      TableOf(database, "public.a_table_with_a_name_of_some_length_that_is_cut").unique_keys.at(0);
  // As PostgreSQL 15 answers.
  EXPECT_EQ(cut.name, "a_table_with_a_name_of_some_l_a_column_with_a_long_name_too_key");
}

TEST(Tables, PartitionsAreFoldedAndCounted) {
  const catalog::Database database = Read(R"(
CREATE TABLE p (d date, id int) PARTITION BY RANGE (d);
CREATE TABLE p1 PARTITION OF p FOR VALUES FROM ('2020-01-01') TO ('2021-01-01') PARTITION BY LIST (id);
CREATE TABLE p11 PARTITION OF p1 DEFAULT;
CREATE TABLE p2 (d date, id int);
ALTER TABLE ONLY p ATTACH PARTITION p2 DEFAULT;
CREATE TABLE p3 (d date, id int);
ALTER TABLE p ATTACH PARTITION p3 DEFAULT; ALTER TABLE p DETACH PARTITION p3;
ALTER TABLE p1 ATTACH PARTITION p DEFAULT;)");
  EXPECT_THAT(TableNames(database), ElementsAre("public.p", "public.p3"));
  EXPECT_EQ(TableOf(database, "public.p").partition_count, 3);
  EXPECT_EQ(TableOf(database, "public.p").kind, catalog::TableKind::PartitionedTable);
  ASSERT_THAT(database.missing, SizeIs(1));
  EXPECT_THAT(database.missing[0].reason, HasSubstr("partition of itself"));
}

TEST(Tables, LikeAndInheritsCopyColumns) {
  const catalog::Database database = Read(R"(
CREATE TABLE base (id int PRIMARY KEY DEFAULT 1, n text CHECK (n IN ('a')));
COMMENT ON COLUMN base.n IS 'note';
CREATE INDEX ON base (n);
CREATE TABLE plain (LIKE base, more int);
CREATE TABLE full_copy (LIKE base INCLUDING ALL);
CREATE TABLE heir (extra int, n text NOT NULL) INHERITS (base);)");
  const catalog::Table& plain = TableOf(database, "public.plain");
  EXPECT_THAT(ColumnNames(plain), ElementsAre("id", "n", "more"));
  EXPECT_FALSE(plain.primary_key.has_value());
  EXPECT_FALSE(ColumnOf(plain, "id").nullable);
  EXPECT_FALSE(ColumnOf(plain, "id").default_value.has_value());
  const catalog::Table& full = TableOf(database, "public.full_copy");
  EXPECT_THAT(full.primary_key, Optional(Eq(catalog::Key{"full_copy_pkey", {"id"}})));
  EXPECT_EQ(full.indexes.at(0).name, "full_copy_n_idx");
  EXPECT_EQ(ColumnOf(full, "n").comment, "note");
  EXPECT_THAT(ColumnOf(full, "n").labels, ElementsAre("a"));
  const catalog::Table& heir = TableOf(database, "public.heir");
  EXPECT_THAT(ColumnNames(heir), ElementsAre("id", "n", "extra"));
  EXPECT_FALSE(ColumnOf(heir, "n").nullable);
  EXPECT_FALSE(heir.primary_key.has_value());
}

TEST(Tables, IndexesKeepExpressionsAndPredicates) {
  const catalog::Database database = Read(R"(
CREATE TABLE t (a int, b text);
CREATE UNIQUE INDEX plain ON t USING btree (b, a);
CREATE UNIQUE INDEX part ON t (a) WHERE b IS NOT NULL;
CREATE INDEX expr ON t USING gin (lower(b) public.gin_trgm_ops);
CREATE UNIQUE INDEX given ON t (a) INCLUDE (b);
ALTER TABLE t ADD CONSTRAINT t_pk PRIMARY KEY USING INDEX given;)");
  const catalog::Table& table = TableOf(database, "public.t");
  EXPECT_THAT(table.unique_keys, ElementsAre(catalog::Key{"plain", {"b", "a"}}));
  EXPECT_THAT(table.primary_key, Optional(Eq(catalog::Key{"t_pk", {"a"}})));
  EXPECT_THAT(table.indexes,
              ElementsAre(catalog::Index{"expr", {"lower(b)"}, false, "gin", std::nullopt},
                          catalog::Index{"part", {"a"}, true, "btree", "b IS NOT NULL"},
                          catalog::Index{"plain", {"b", "a"}, true, "btree", std::nullopt}));
}

TEST(Tables, NamesFollowSearchPathAndSchemas) {
  const catalog::Database database = Read(R"(
CREATE SCHEMA s CREATE TABLE inner_one (id int PRIMARY KEY) CREATE TABLE inner_two (o int REFERENCES inner_one);
SET search_path TO "$user", s, public;
CREATE TABLE third (o int REFERENCES inner_one);
SELECT pg_catalog.set_config('search_path', '', false);
CREATE TABLE public.fourth (o int REFERENCES s.inner_one);
RESET search_path;
CREATE TABLE fifth (id int);
CREATE TEMP TABLE passing (id int);
CREATE TABLE IF NOT EXISTS fifth (other int);)");
  EXPECT_THAT(database.missing, IsEmpty());
  EXPECT_THAT(TableNames(database), ElementsAre("public.fifth", "public.fourth", "s.inner_one",
                                                "s.inner_two", "s.third"));
  EXPECT_EQ(TableOf(database, "s.third").foreign_keys.at(0).target_schema, "s");
}

TEST(Tables, DroppedOnesTakeTheirReferencesWithThem) {
  const catalog::Database database = Read(R"(
DROP TABLE IF EXISTS a CASCADE;
CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE b (a int REFERENCES a);
DROP TABLE a CASCADE; CREATE TABLE a (other int);
CREATE SCHEMA s; CREATE TABLE s.c (); DROP SCHEMA s CASCADE;)");
  EXPECT_THAT(TableNames(database), ElementsAre("public.a", "public.b"));
  EXPECT_THAT(TableOf(database, "public.b").foreign_keys, IsEmpty());
}

TEST(Tables, NamesAreCutAndFoldedAsPostgresDoes) {
  const std::string name(70, 'n');
  const catalog::Database database =
      Read("CREATE TABLE " + name + " (Id int, \"Id\" int, U&\"d\\0061t\" int, \"a\"\"b\" int);");
  ASSERT_THAT(database.tables, SizeIs(1));
  EXPECT_EQ(database.tables[0].name, std::string(63, 'n'));
  EXPECT_THAT(ColumnNames(database.tables[0]), ElementsAre("id", "Id", "dat", "a\"b"));
}

}  // namespace
}  // namespace schemaward::connect::ddl
