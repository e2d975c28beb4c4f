// The same schema read by a real PostgreSQL and out of its dump. Needs SCHEMAWARD_TEST_PG15, psql
// and pg_dump.
#include <cstdlib>
#include <filesystem>
#include <optional>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/result_matchers.h"
#include "connect/ddl/test_support.h"
#include "connect/registry.h"

namespace schemaward::connect::ddl {
namespace {

/// A database of its own on the test server, gone with the object.
class TestDatabase {
 public:
  explicit TestDatabase(std::string server)
      : server_(std::move(server)), name_(fmt::format("ward_ddl_{}", getpid())) {
    Run(fmt::format("psql -qd '{}' -c 'CREATE DATABASE {}'", server_, name_));
  }
  ~TestDatabase() { Run(fmt::format("psql -qd '{}' -c 'DROP DATABASE {}'", server_, name_)); }
  TestDatabase(const TestDatabase&) = delete;
  TestDatabase& operator=(const TestDatabase&) = delete;

  std::string uri() const { return server_.substr(0, server_.rfind('/') + 1) + name_; }

  void Load(const std::filesystem::path& script) const {
    Run(fmt::format("psql -qd '{}' -f '{}' >/dev/null", uri(), script.string()));
  }
  std::string Dump() const {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / (name_ + ".dump.sql");
    Run(fmt::format("pg_dump --schema-only -d '{}' -f '{}'", uri(), file.string()));
    std::string text = Contents(file);
    std::filesystem::remove(file);
    return text;
  }

 private:
  static void Run(const std::string& command) {
    EXPECT_EQ(std::system(command.c_str()), 0) << command;  // NOLINT(concurrency-mt-unsafe)
  }

  std::string server_;
  std::string name_;
};

/// Leaves out what only a server knows, and the wording of expressions.
catalog::Table Comparable(catalog::Table table) {
  table.row_estimate.reset();
  table.definition.clear();
  for (catalog::Check& check : table.checks) check.expression.clear();
  for (catalog::Index& index : table.indexes) {
    if (index.predicate) index.predicate = "";
  }
  table.partition_key.clear();  // for the guard of what runs; no dump does
  for (catalog::Column& column : table.columns) {
    column.statistic.reset();
    std::erase_if(column.tags, [](const std::string& tag) { return tag.starts_with("type:"); });
    if (column.default_value) column.default_value = "";
    if (column.generated) column.generated = "";
  }
  return table;
}

TEST(Differential, ADumpIsTheCatalogOfTheServerItCameFrom) {
  const char* server = std::getenv("SCHEMAWARD_TEST_PG15");  // NOLINT(concurrency-mt-unsafe)
  if (server == nullptr) GTEST_SKIP() << "no PostgreSQL 15: SCHEMAWARD_TEST_PG15 is not set";
  const SystemClock clock;
  CallContext ctx(clock);
  const TestDatabase database(server);
  database.Load(std::filesystem::path(WARD_SOURCE_DIR) /
                "tests/fixtures/kitchen_sink_postgres.sql");
  Registry registry(
      {}, ModuleFolders(SystemEnvironment(), std::filesystem::path(WARD_BINARY_DIR) / "bin"));
  const auto engine = registry.Find("postgres");
  ASSERT_THAT(engine, IsOk());
  const auto connector = (*engine)->Open({"postgres", database.uri(), ""}, ctx);
  ASSERT_THAT(connector, IsOk());
  const auto served = (*connector)->Introspect({}, ctx);
  ASSERT_THAT(served, IsOk());
  const catalog::Database dumped = Read(database.Dump());
  EXPECT_THAT(dumped.missing, ::testing::IsEmpty());
  ASSERT_EQ(dumped.tables.size(), served->tables.size());
  for (std::size_t i = 0; i < dumped.tables.size(); ++i)
    EXPECT_EQ(Comparable(dumped.tables[i]), Comparable(served->tables[i]))
        << catalog::QualifiedName(served->tables[i]);
}

}  // namespace
}  // namespace schemaward::connect::ddl
