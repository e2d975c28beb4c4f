#include "sqlite/sqlite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"

namespace schemaward::sqlite {
namespace {

TEST(Sqlite, BindsStepsAndReads) {
  auto database = Database::Open(":memory:", {});
  ASSERT_THAT(database, IsOk());
  ASSERT_THAT(database->Execute("CREATE TABLE t(a, b, c, d)"), IsOk());
  auto insert = database->Prepare("INSERT INTO t VALUES(?, ?, ?, ?)");
  ASSERT_THAT(insert, IsOk());
  insert->Bind(1, std::int64_t{7})
      .Bind(2, std::string_view("x"))
      .BindBlob(3, std::string_view("\0y", 2))
      .BindNull(4);
  ASSERT_THAT(insert->Run(), IsOk());
  auto select = database->Prepare("SELECT a, b, c, d FROM t");
  ASSERT_THAT(select, IsOk());
  EXPECT_THAT(select->Step(), IsOkAnd(true));
  EXPECT_EQ(select->Int(0), 7);
  EXPECT_EQ(select->Text(1), "x");
  EXPECT_EQ(select->Blob(2), std::string_view("\0y", 2));
  EXPECT_EQ(select->OptionalText(3), std::nullopt);
  EXPECT_THAT(select->Step(), IsOkAnd(false));
}

TEST(Sqlite, RollsBackWhatIsNotCommitted) {
  auto database = Database::Open(":memory:", {});
  ASSERT_THAT(database->Execute("CREATE TABLE t(a)"), IsOk());
  {
    auto transaction = Transaction::Begin(*database);
    ASSERT_THAT(transaction, IsOk());
    ASSERT_THAT(database->Execute("INSERT INTO t VALUES(1)"), IsOk());
  }
  auto count = database->Prepare("SELECT count(*) FROM t");
  EXPECT_THAT(count->Step(), IsOkAnd(true));
  EXPECT_EQ(count->Int(0), 0);
}

TEST(Sqlite, NamesItsFailures) {
  EXPECT_THAT(Database::Open("/no/such/folder/x.db", {.create = true}),
              IsError(ErrorKind::StoreUnusable));
  auto database = Database::Open(":memory:", {});
  auto wrong = database->Prepare("SELECT a FROM nowhere");
  EXPECT_THAT(wrong, IsError(ErrorKind::SqlRuntime, "the statement failed"));
  EXPECT_THAT(wrong.error().private_detail(), ::testing::HasSubstr("no such table"));
}

TEST(Sqlite, SaysWhatToDoAboutAFile) {
  EXPECT_THAT(Database::Open("/no/such/folder/x.db", {.create = true}).error().hint(),
              ::testing::StartsWith("Name a file"));
  auto database = Database::Open(":memory:", {.read_only = true});
  ASSERT_THAT(database, IsOk());
  const auto written = database->Execute("CREATE TABLE t(a)");
  ASSERT_THAT(written, IsError(ErrorKind::StoreUnusable));
  EXPECT_THAT(written.error().hint(), ::testing::StartsWith("This user may not write"));
}

}  // namespace
}  // namespace schemaward::sqlite
