// Names that the columns of foreign tables have at their servers.

#include "connect/ddl/remote.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "connect/ddl/test_support.h"

namespace schemaward::connect::ddl {
namespace {

using catalog::Remote;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<Remote> RemotesOf(const catalog::Database& database, std::string_view table,
                              std::string_view column) {
  return ColumnOf(TableOf(database, table), column).remotes;
}

TEST(Remotes, AreReadFromTheOptionsOfTableAndColumn) {
  const catalog::Database database = Read(R"(
CREATE FOREIGN TABLE far (x text OPTIONS (column_name 'ssn'), y int) SERVER s OPTIONS (table_name 'people');
CREATE FOREIGN TABLE oracle (x text OPTIONS (key 'true')) SERVER s OPTIONS (table 'STAFF');
CREATE FOREIGN TABLE mongo (x text) SERVER s OPTIONS (database 'd', collection 'patients');
CREATE FOREIGN TABLE stripe (x text) SERVER s OPTIONS (object 'customers');
CREATE FOREIGN TABLE asked (x text) SERVER s OPTIONS (query 'SELECT ssn FROM people');
CREATE FOREIGN TABLE plain (x text) SERVER s OPTIONS (schema_name 'other');
CREATE TABLE copy (LIKE far);)");
  EXPECT_THAT(database.missing, IsEmpty());
  EXPECT_THAT(RemotesOf(database, "public.far", "x"), ElementsAre(Remote{"people", "ssn"}));
  EXPECT_THAT(RemotesOf(database, "public.far", "y"), ElementsAre(Remote{"people", "y"}));
  EXPECT_THAT(RemotesOf(database, "public.oracle", "x"), ElementsAre(Remote{"STAFF", "x"}));
  EXPECT_THAT(RemotesOf(database, "public.mongo", "x"), ElementsAre(Remote{"patients", "x"}));
  EXPECT_THAT(RemotesOf(database, "public.stripe", "x"), ElementsAre(Remote{"customers", "x"}));
  for (const char* table : {"public.plain", "public.asked"})
    EXPECT_THAT(RemotesOf(database, table, "x"), IsEmpty()) << table;
  EXPECT_THAT(RemotesOf(database, "public.copy", "x"), IsEmpty());
}

TEST(Remotes, FollowWhatIsAltered) {
  const catalog::Database database = Read(R"(
CREATE FOREIGN TABLE a (x text) SERVER s;
ALTER FOREIGN TABLE a ALTER COLUMN x OPTIONS (ADD column_name 'ssn');
CREATE FOREIGN TABLE b (x text OPTIONS (column_name 'n')) SERVER s OPTIONS (table_name 'one');
ALTER FOREIGN TABLE b ALTER COLUMN x OPTIONS (SET column_name 'iban'), OPTIONS (SET table_name 'two');
ALTER TABLE b RENAME COLUMN x TO z;
CREATE FOREIGN TABLE c (x text OPTIONS (column_name 'ssn')) SERVER s;
ALTER FOREIGN TABLE c ALTER COLUMN x OPTIONS (DROP column_name);
ALTER FOREIGN TABLE c ADD COLUMN y text OPTIONS (column_name 'pin');)");
  EXPECT_THAT(database.missing, IsEmpty());
  EXPECT_THAT(RemotesOf(database, "public.a", "x"), ElementsAre(Remote{"a", "ssn"}));
  EXPECT_THAT(RemotesOf(database, "public.b", "z"), ElementsAre(Remote{"two", "iban"}));
  EXPECT_THAT(RemotesOf(database, "public.c", "x"), IsEmpty());
  EXPECT_THAT(RemotesOf(database, "public.c", "y"), ElementsAre(Remote{"c", "pin"}));
}

// A query of a parent reads its children and partitions.
TEST(Remotes, ReachTheTablesAbove) {
  const catalog::Database database = Read(R"(
CREATE TABLE whole (x text, y int) PARTITION BY LIST (y);
CREATE FOREIGN TABLE part (x text OPTIONS (column_name 'ssn'), y int) SERVER s;
ALTER TABLE whole ATTACH PARTITION part FOR VALUES IN (1);
CREATE TABLE top (x text); CREATE TABLE middle () INHERITS (top);
CREATE FOREIGN TABLE low (x text OPTIONS (column_name 'iban')) INHERITS (middle) SERVER s;
CREATE TABLE late (x text); ALTER FOREIGN TABLE low INHERIT late;
CREATE TABLE left_again (x text); ALTER FOREIGN TABLE low INHERIT left_again;
ALTER FOREIGN TABLE low NO INHERIT left_again;)");
  EXPECT_THAT(database.missing, IsEmpty());
  EXPECT_THAT(RemotesOf(database, "public.whole", "x"), ElementsAre(Remote{"part", "ssn"}));
  EXPECT_THAT(RemotesOf(database, "public.whole", "y"), IsEmpty());
  for (const char* table : {"public.low", "public.middle", "public.top", "public.late"})
    EXPECT_THAT(RemotesOf(database, table, "x"), ElementsAre(Remote{"low", "iban"})) << table;
  EXPECT_THAT(RemotesOf(database, "public.left_again", "x"), IsEmpty());
}

TEST(Remotes, AreBoundedAndSaySo) {
  std::string script = "CREATE TABLE whole (x text) PARTITION BY LIST (x);";
  for (std::size_t i = 0; i < catalog::kRemotesMax; ++i)
    script += fmt::format(
        "CREATE FOREIGN TABLE p{0} PARTITION OF whole FOR VALUES IN ('{0}') SERVER s OPTIONS "
        "(table_name 'r{0}');",
        i);
  catalog::Database database = Read(script);
  EXPECT_THAT(database.missing, IsEmpty());
  EXPECT_THAT(RemotesOf(database, "public.whole", "x"), SizeIs(catalog::kRemotesMax));
  database = Read(script +
                  "CREATE FOREIGN TABLE more PARTITION OF whole DEFAULT SERVER s OPTIONS "
                  "(table_name 'another');");
  EXPECT_THAT(RemotesOf(database, "public.whole", "x"), SizeIs(catalog::kRemotesMax));
  EXPECT_THAT(database.missing, SizeIs(1));
}

}  // namespace
}  // namespace schemaward::connect::ddl
