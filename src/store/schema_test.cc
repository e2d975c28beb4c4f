// Versions: older files are backed up and migrated, newer ones are refused, all or nothing.
#include "store/schema.h"

#include <array>
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/result_matchers.h"
#include "sqlite/sqlite.h"
#include "store/definitions.h"
#include "store/testing.h"

namespace schemaward::store {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::array<Migration, 2> kSteps = {
    Migration{kSchemaVersion, "CREATE TABLE added(a); INSERT INTO added VALUES(1)"},
    Migration{kSchemaVersion + 1, "UPDATE added SET a = a + 1"},
};
constexpr std::array<Migration, 2> kBrokenSteps = {
    Migration{kSchemaVersion, "CREATE TABLE added(a)"},
    Migration{kSchemaVersion + 1, "INSERT INTO nowhere VALUES(1)"},
};

class SchemaTest : public ::testing::Test {
 protected:
  SchemaTest() : path(folder.File("store.db")) {
    const auto store = *Store::Open(path, {.create = true});
    (void)*PutIndexed(*store, "shop", {MakeTable("m", "a")});
  }

  std::int64_t Number(const std::string& file, const std::string& sql) {
    auto database = sqlite::Database::Open(file, {});
    auto statement = database->Prepare(sql);
    EXPECT_THAT(statement, IsOk());
    EXPECT_THAT(statement->Step(), IsOkAnd(true));
    return statement->Int(0);
  }

  TempFolder folder;
  std::string path;
};

TEST_F(SchemaTest, ANewStoreHasThisVersion) {
  EXPECT_EQ(Number(path, "PRAGMA user_version"), kSchemaVersion);
  EXPECT_EQ(Number(path, "PRAGMA application_id"), kApplicationId);
}

TEST_F(SchemaTest, AnOlderStoreIsBackedUpAndMigrated) {
  ASSERT_THAT(MigrateFile(path, {}, kSteps, kSchemaVersion + 2), IsOk());
  EXPECT_EQ(Number(path, "PRAGMA user_version"), kSchemaVersion + 2);
  EXPECT_EQ(Number(path, "SELECT a FROM added"), 2);
  EXPECT_EQ(Number(path, "SELECT count(*) FROM object"), 1);
  const std::string backup = fmt::format("{}.bak-v{}", path, kSchemaVersion);
  EXPECT_EQ(Number(backup, "PRAGMA user_version"), kSchemaVersion);
  EXPECT_EQ(Number(backup, "SELECT count(*) FROM object"), 1);
  struct stat info {};
  ASSERT_EQ(::stat(backup.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0600U);
  EXPECT_THAT((*Store::Open(backup, {}))->ListSources(), IsOkAnd(::testing::SizeIs(1)));
}

TEST_F(SchemaTest, TheFirstVersionGainsDefinitions) {
  {
    auto database = sqlite::Database::Open(path, {});
    ASSERT_THAT(
        database->Execute("DROP TABLE definition; DROP TABLE definition_stamp;"
                          "DROP TABLE mined_query; DROP TABLE mined_table; DROP TABLE mined_log;"
                          "DROP TABLE draft_state; DROP TABLE vector; DROP TABLE description;"
                          "ALTER TABLE source DROP COLUMN schemas;"
                          "PRAGMA user_version=1"),
        IsOk());
  }
  const auto store = *Store::Open(path, {});
  const auto source = store->FindSource("shop");
  ASSERT_THAT(source, IsOk());
  EXPECT_THAT(ChangeDefinitions(*store, (*source)->id,
                                {{{(*source)->id, DefinitionKind::Join, "j", "{}", true}}, {}}),
              IsOk());
  EXPECT_EQ(Number(path, "PRAGMA user_version"), kSchemaVersion);
}

TEST_F(SchemaTest, AFailedMigrationLeavesTheOldStore) {
  EXPECT_THAT(MigrateFile(path, {}, kBrokenSteps, kSchemaVersion + 2),
              IsError(ErrorKind::StoreUnusable, HasSubstr("but its tables are of another")));
  EXPECT_EQ(Number(path, "PRAGMA user_version"), kSchemaVersion);
  EXPECT_EQ(Number(path, "SELECT count(*) FROM sqlite_schema WHERE name = 'added'"), 0);
  ASSERT_THAT(MigrateFile(path, {}, kSteps, kSchemaVersion + 2), IsOk());
}

TEST_F(SchemaTest, AVersionWithoutAWayForwardIsNamed) {
  EXPECT_THAT(MigrateFile(path, {}, std::span(kSteps).subspan(1), kSchemaVersion + 2),
              IsError(ErrorKind::StoreUnusable,
                      HasSubstr(fmt::format("schema version {}", kSchemaVersion))));
  EXPECT_FALSE(std::filesystem::exists(fmt::format("{}.bak-v{}", path, kSchemaVersion)));
}

TEST_F(SchemaTest, AVersionThatTheTablesAreNotOfIsToldWithAWayOutAndChangesNothing) {
  for (int version = 1; version < kSchemaVersion; ++version) {
    {
      auto database = sqlite::Database::Open(path, {});
      ASSERT_THAT(database->Execute(fmt::format("PRAGMA user_version={}", version)), IsOk());
    }
    const auto store = *Store::Open(path, {.create = true});
    const auto sources = store->ListSources();
    ASSERT_THAT(sources,
                IsError(ErrorKind::StoreUnusable,
                        fmt::format("the store says schema version {}, but its tables are of "
                                    "another",
                                    version)));
    EXPECT_THAT(sources.error().hint(), HasSubstr("schemaward index SOURCE"));
    EXPECT_EQ(Number(path, "PRAGMA user_version"), version);
    EXPECT_EQ(Number(path, "SELECT count(*) FROM object"), 1);
  }
}

TEST_F(SchemaTest, AStoreOfNoVersionIsToldWithAWayOut) {
  {
    auto database = sqlite::Database::Open(path, {});
    ASSERT_THAT(database->Execute("PRAGMA user_version=0"), IsOk());
  }
  const auto store = *Store::Open(path, {});
  const auto sources = store->ListSources();
  ASSERT_THAT(sources, IsError(ErrorKind::StoreUnusable, HasSubstr("no longer reads")));
  EXPECT_THAT(sources.error().hint(), HasSubstr("schemaward index SOURCE"));
  EXPECT_FALSE(std::filesystem::exists(path + ".bak-v0"));
}

TEST_F(SchemaTest, ANewerStoreIsRefusedNamingBothVersions) {
  {
    auto database = sqlite::Database::Open(path, {});
    ASSERT_THAT(database->Execute("PRAGMA user_version=7"), IsOk());
  }
  const auto store = *Store::Open(path, {.create = true});
  const auto sources = store->ListSources();
  ASSERT_THAT(sources, IsError(ErrorKind::StoreUnusable,
                               AllOf(HasSubstr("version 7"),
                                     HasSubstr(fmt::format("up to {}", kSchemaVersion)))));
  EXPECT_THAT(sources.error().hint(),
              AllOf(HasSubstr("newer schemaward"), HasSubstr("schemaward index SOURCE")));
  EXPECT_FALSE(std::filesystem::exists(path + ".bak-v7"));
}

TEST_F(SchemaTest, MigratingTwiceDoesNothingMore) {
  ASSERT_THAT(MigrateFile(path, {}, kSteps, kSchemaVersion + 2), IsOk());
  std::filesystem::remove(fmt::format("{}.bak-v{}", path, kSchemaVersion));
  ASSERT_THAT(MigrateFile(path, {}, kSteps, kSchemaVersion + 2), IsOk());
  EXPECT_EQ(Number(path, "SELECT a FROM added"), 2);
  EXPECT_FALSE(std::filesystem::exists(fmt::format("{}.bak-v{}", path, kSchemaVersion)));
}

}  // namespace
}  // namespace schemaward::store
