// What lists and filters say of a table holds for the views of it, and the engines' own catalogs
// tell no caller what they keep from it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "guard/test_tables.h"

namespace schemaward::guard {
namespace {

using ::testing::HasSubstr;

constexpr const sql::Dialect& (*kDialects[])() = {sql::Sqlite, sql::Postgres, sql::MySql,
                                                  sql::DuckDb};

catalog::Table View(std::string name, std::string text, std::string_view schema) {
  catalog::Table view = MakeTable(std::move(name), {"id", "region"}, schema);
  view.kind = catalog::TableKind::View;
  view.definition = std::move(text);
  return view;
}

Result<Approved> Read(std::string_view text, const sql::Dialect& dialect,
                      const privacy::PolicyData& data) {
  const std::string_view schema = dialect.default_schema;
  catalog::Table parent = MakeTable("parent", {"id", "region"}, schema);
  parent.children = {std::string(schema.empty() ? "s" : schema) + ".orders"};
  return ApproveOver(
      text, dialect,
      {MakeTable("orders", {"id", "region"}, schema), MakeTable("places", {"id", "region"}, schema),
       parent, View("direct", "SELECT id, region FROM orders", schema),
       View("nested", "SELECT id, region FROM direct", schema),
       View("hidden",
            "SELECT p.id, p.region FROM places p WHERE EXISTS (SELECT 1 "
            "FROM orders o WHERE o.id = p.id)",
            schema),
       View("other", "SELECT id, region FROM places", schema)},
      privacy::Policy(data));
}

TEST(ThroughViews, WhatIsDeniedIsDenied) {
  privacy::PolicyData data;
  data.everyone.deny.tables = {"orders"};
  for (const auto dialect : kDialects) {
    for (const char* view : {"orders", "direct", "nested", "hidden"})
      for (const char* text : {"SELECT id FROM {}", "SELECT count(*) FROM {}",
                               "SELECT p.id FROM places p JOIN {} v ON v.id = p.id",
                               "WITH c AS (SELECT id FROM {}) SELECT id FROM c",
                               "SELECT id FROM places WHERE id IN (SELECT id FROM {})",
                               "SELECT id FROM other UNION ALL SELECT id FROM {}"})
        EXPECT_THAT(Read(fmt::format(fmt::runtime(text), view), dialect(), data),
                    IsError(ErrorKind::PolicyBlocked))
            << dialect().name << " " << view << " " << text;
    EXPECT_THAT(Read("SELECT id FROM other", dialect(), data), IsOk()) << dialect().name;
  }
  EXPECT_THAT(Read("SELECT id FROM parent", sql::Postgres(), data),
              IsError(ErrorKind::PolicyBlocked));
}

TEST(ThroughViews, AnAllowListMeansTheView) {
  privacy::PolicyData data;
  data.everyone.allow.emplace_back().tables = {"direct"};
  EXPECT_THAT(Read("SELECT id FROM direct", sql::Postgres(), data), IsOk());
  EXPECT_THAT(Read("SELECT id FROM nested", sql::Postgres(), data),
              IsError(ErrorKind::AllowlistViolation));
}

TEST(ThroughViews, RowsThatAreFilteredAreNotReadUnfiltered) {
  privacy::PolicyData data;
  data.everyone.row_filters = {{"orders", "region = 'north'"}};
  for (const auto dialect : kDialects) {
    EXPECT_THAT(Read("SELECT id FROM orders", dialect(), data), IsOk()) << dialect().name;
    for (const char* view : {"direct", "nested", "hidden"})
      EXPECT_THAT(Read(fmt::format("SELECT count(*) FROM {}", view), dialect(), data),
                  IsError(ErrorKind::PolicyBlocked))
          << dialect().name << " " << view;
    EXPECT_THAT(Read("SELECT id FROM other", dialect(), data), IsOk()) << dialect().name;
  }
}

TEST(ThroughViews, AFilterOfTheViewsOwnIsEnough) {
  privacy::PolicyData data;
  data.everyone.row_filters = {{"orders", "region = 'north'"}, {"direct", "region = 'north'"}};
  for (const auto dialect : kDialects) {
    const auto approved = Read("SELECT id FROM direct", dialect(), data);
    ASSERT_THAT(approved, IsOk()) << dialect().name;
    EXPECT_THAT(approved->text(), HasSubstr("'north'"));
    // Inside another view the filter is not put.
    EXPECT_THAT(Read("SELECT id FROM nested", dialect(), data), IsError(ErrorKind::PolicyBlocked))
        << dialect().name;
  }
}

// Statements that the engines answer out of their own catalogs.
struct Catalog {
  const sql::Dialect& (*dialect)();
  const char* text;
};
constexpr Catalog kCatalog[] = {
    {sql::Sqlite, "SELECT name FROM sqlite_master"},
    {sql::Sqlite, "SELECT s.sql FROM main.sqlite_schema s"},
    {sql::Sqlite, "SELECT id FROM places WHERE 'x' IN (SELECT name FROM sqlite_master)"},
    {sql::Sqlite, "PRAGMA foreign_key_list(places)"},
    {sql::Postgres, "SELECT table_name FROM information_schema.tables"},
    {sql::Postgres, "SELECT column_name FROM information_schema.columns"},
    {sql::Postgres, "SELECT relname FROM pg_class"},
    {sql::Postgres, "SELECT attname FROM pg_catalog.pg_attribute"},
    {sql::Postgres, "WITH c AS (SELECT indexdef FROM pg_indexes) SELECT * FROM c"},
    {sql::MySql, "SELECT table_name FROM information_schema.tables"},
    {sql::MySql, "SELECT 1 FROM places UNION SELECT column_name FROM information_schema.columns"},
    {sql::MySql, "SHOW TABLES"},
    {sql::DuckDb, "SELECT table_name FROM information_schema.tables"},
    {sql::DuckDb, "SHOW TABLES"},
    {sql::DuckDb, "SELECT table_name FROM duckdb_tables()"},
    {sql::DuckDb, "SELECT id FROM places WHERE EXISTS (FROM duckdb_columns())"},
    {sql::DuckDb, "SELECT c.constraint_text FROM places, DUCKDB_CONSTRAINTS() AS c"},
    {sql::Postgres, "SELECT obj_description(16384), col_description(16384, 1)"},
    {sql::Postgres, "SELECT format_type(16384, NULL)"},
};

TEST(SystemRelations, AreReadWhereNothingIsKeptBack) {
  for (const Catalog& one : kCatalog)
    EXPECT_THAT(Read(one.text, one.dialect(), {}), IsOk()) << one.dialect().name << one.text;
}

TEST(SystemRelations, AreNotReadWhereAListKeepsTablesBack) {
  privacy::PolicyData data;
  data.everyone.deny.tables = {"orders"};
  for (const Catalog& one : kCatalog)
    EXPECT_THAT(Read(one.text, one.dialect(), data), IsError(ErrorKind::PolicyBlocked))
        << one.dialect().name << one.text;
  data = {};
  data.everyone.allow.emplace_back().tables = {"places"};
  for (const Catalog& one : kCatalog)
    EXPECT_THAT(Read(one.text, one.dialect(), data), IsError(ErrorKind::PolicyBlocked))
        << one.dialect().name << one.text;
}

TEST(SystemRelations, CountNoRowsWhereRowsAreFiltered) {
  privacy::PolicyData filtered;
  filtered.callers.emplace_back().emplace_back().rules.row_filters = {{"main.orders", "id < 5"}};
  for (const Catalog& one : {
           Catalog{sql::Postgres, "SELECT reltuples FROM pg_class"},
           {sql::Postgres, "SELECT (SELECT c.reltuples FROM places LIMIT 1) FROM pg_class c"},
           {sql::MySql, "SELECT table_rows FROM information_schema.tables"},
           {sql::MySql, "SELECT t.TABLE_ROWS FROM information_schema.tables t, places"},
           {sql::DuckDb, "SELECT estimated_size FROM duckdb_tables()"},
           {sql::DuckDb, "SELECT t.* FROM duckdb_tables() t"},
           {sql::DuckDb, "SELECT t FROM duckdb_tables() t"},
           {sql::DuckDb, "SELECT sum(n) FROM duckdb_tables() t(a, b, c, d, e, f, g, h, i, j, n)"},
           {sql::DuckDb, "SELECT (SELECT estimated_size FROM places LIMIT 1) FROM duckdb_tables()"},
       }) {
    EXPECT_THAT(Read(one.text, one.dialect(), filtered), IsError(ErrorKind::NotARead)) << one.text;
  }
  EXPECT_THAT(Read("SELECT reltuples FROM pg_class", sql::Postgres(), {}), IsOk());
  EXPECT_THAT(Read("SELECT table_rows FROM information_schema.tables", sql::MySql(), {}), IsOk());
  EXPECT_THAT(Read("SELECT estimated_size FROM duckdb_tables()", sql::DuckDb(), {}), IsOk());
  for (const Catalog& one : kCatalog)
    EXPECT_THAT(Read(one.text, one.dialect(), filtered), IsOk()) << one.text;
}

TEST(SystemRelations, AreNotReadWhereNamesAreHidden) {
  privacy::PolicyData data;
  data.first.profile = privacy::Profile::Strict;
  for (const Catalog& one : kCatalog)
    EXPECT_THAT(Read(one.text, one.dialect(), data), IsError(ErrorKind::PolicyBlocked))
        << one.dialect().name << one.text;
  for (const auto dialect : {sql::MySql, sql::DuckDb})  // shows names of columns
    EXPECT_THAT(Read("DESCRIBE places", dialect(), data), IsError(ErrorKind::PolicyBlocked));
  EXPECT_THAT(Read("PRAGMA table_info(places)", sql::Sqlite(), data),
              IsError(ErrorKind::PolicyBlocked));
}

}  // namespace
}  // namespace schemaward::guard
