// Tags in comments reach what is read together.

#include "connect/ddl/kin.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "connect/ddl/test_support.h"

namespace schemaward::connect::ddl {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::string> KinOf(const catalog::Database& database, std::string_view table,
                               std::string_view column) {
  return ColumnOf(TableOf(database, table), column).kin_comments;
}

TEST(Kin, GivesTagsOfPartitionsToTheWhole) {
  const catalog::Database database = Read(R"(
CREATE TABLE whole (x text, y int, z text) PARTITION BY LIST (y);
CREATE TABLE part PARTITION OF whole FOR VALUES IN (1) PARTITION BY LIST (y);
CREATE TABLE leaf (z text, y int, x text);
ALTER TABLE part ATTACH PARTITION leaf FOR VALUES IN (1);
COMMENT ON COLUMN leaf.x IS 'PII: ssn'; COMMENT ON COLUMN part.y IS 'plain words';
CREATE TABLE once (x text, y int, z text); COMMENT ON COLUMN once.z IS 'pii:email';
ALTER TABLE part ATTACH PARTITION once FOR VALUES IN (2); ALTER TABLE part DETACH PARTITION once;)");
  EXPECT_THAT(database.missing, IsEmpty());
  EXPECT_THAT(KinOf(database, "public.whole", "x"), ElementsAre("PII: ssn"));
  EXPECT_THAT(KinOf(database, "public.whole", "y"), IsEmpty());
  EXPECT_THAT(KinOf(database, "public.whole", "z"), IsEmpty());
  EXPECT_THAT(TableOf(database, "public.whole").children, IsEmpty());
}

TEST(Kin, GivesTagsUpAndDownWhereTablesInherit) {
  const catalog::Database database = Read(R"(
CREATE TABLE top (x text, y int); CREATE TABLE middle () INHERITS (top);
CREATE TABLE "Low.er" () INHERITS (middle); CREATE TABLE beside () INHERITS (top);
COMMENT ON COLUMN top.y IS 'pii:health'; COMMENT ON COLUMN "Low.er".x IS 'pii:dna';)");
  EXPECT_THAT(database.missing, IsEmpty());
  for (const char* table : {"public.top", "public.middle"})
    EXPECT_THAT(KinOf(database, table, "x"), ElementsAre("pii:dna")) << table;
  for (const char* table : {"public.middle", "public.\"Low.er\"", "public.beside"})
    EXPECT_THAT(KinOf(database, table, "y"), ElementsAre("pii:health")) << table;
  EXPECT_THAT(KinOf(database, "public.top", "y"), IsEmpty());
  EXPECT_THAT(KinOf(database, "public.beside", "x"), IsEmpty());
  EXPECT_THAT(TableOf(database, "public.top").children,
              ElementsAre("public.\"Low.er\"", "public.beside", "public.middle"));
  EXPECT_THAT(TableOf(database, "public.middle").parents, ElementsAre("public.top"));
}

TEST(Kin, IsBoundedAndSaysSo) {
  std::string script = "CREATE TABLE top (x text);";
  for (std::size_t i = 0; i < catalog::kKinCommentsMax; ++i)
    script += fmt::format(
        "CREATE TABLE c{0} () INHERITS (top); COMMENT ON COLUMN c{0}.x IS 'pii:ssn {0}';", i);
  catalog::Database database = Read(script);
  EXPECT_THAT(database.missing, IsEmpty());
  EXPECT_THAT(KinOf(database, "public.top", "x"), SizeIs(catalog::kKinCommentsMax));
  database =
      Read(script + "CREATE TABLE more () INHERITS (top); COMMENT ON COLUMN more.x IS 'pii';");
  EXPECT_THAT(KinOf(database, "public.top", "x"), SizeIs(catalog::kKinCommentsMax));
  EXPECT_THAT(database.missing, SizeIs(1));
  database = Read(
      "CREATE TABLE top (x text); CREATE TABLE low () INHERITS (top);"
      "COMMENT ON COLUMN low.x IS 'pii:ssn " +
      std::string(9000, 'a') + "';");
  EXPECT_EQ(KinOf(database, "public.top", "x").at(0).size(), catalog::kKinCommentBytesMax);
}

}  // namespace
}  // namespace schemaward::connect::ddl
