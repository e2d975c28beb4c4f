// SQLite passes the suite.

#include "connect/conformance/conformance.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/temp_folder.h"
#include "connect/sqlite/engine.h"
#include "connect/sqlite/file_connector.h"

namespace schemaward::connect {
namespace {

namespace fs = std::filesystem;

class SqliteHarness final : public Harness {
 public:
  explicit SqliteHarness(const char* journal) : journal_(journal), engine_(MakeSqliteEngine()) {}

  Engine& engine() override { return *engine_; }
  Target target() const override { return {"sqlite", Path(), ""}; }
  Target UnreachableTarget() const override { return {"sqlite", folder_.File("absent.db"), ""}; }
  std::string schema() const override { return "main"; }

  Status Reset() override {
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) fs::remove(Path() + suffix);
    return Execute(
        fmt::format("PRAGMA journal_mode={}; CREATE TABLE first (x); DROP TABLE first", journal_));
  }

  Status Execute(std::string_view sql) override {
    WARD_TRY(sqlite::Database writer, sqlite::Database::Open(Path(), {.create = true}));
    WARD_CHECK(writer.Execute("PRAGMA synchronous=OFF"));
    return writer.Execute(sql);
  }

  Status Analyze() override { return Execute("ANALYZE"); }

  ValueFixture values() const override {
    return {.sql =
                "CREATE TABLE value_cases (big_int INTEGER, small_int INTEGER, bytes BLOB, "
                "text_utf8 TEXT, no_value TEXT,"
                " not_a_number REAL, infinite REAL, naive_time TIMESTAMP);"
                "INSERT INTO value_cases VALUES (9007199254740993, 42, x'00ff', 'na\xC3\xAFve', "
                "NULL, 9e999 - 9e999, 9e999,"
                " '2024-03-10 02:30:00')",
            .cases = {{"big_int", std::int64_t{9007199254740993}},
                      {"small_int", std::int64_t{42}},
                      {"bytes", Blob{std::string("\0\xFF", 2)}},
                      {"text_utf8", std::string("na\xC3\xAFve")},
                      {"no_value", std::monostate()},
                      {"not_a_number", std::monostate()},  // SQLite stores no NaN
                      {"infinite", std::numeric_limits<double>::infinity()},
                      {"naive_time", std::string("2024-03-10 02:30:00")}}};
  }

  Status AttemptInSession(Connector& connector, std::string_view sql) override {
    CallContext ctx(clock_);
    auto& file = dynamic_cast<sqlite_engine::FileConnector&>(connector);
    constexpr std::chrono::milliseconds kLong{5'000};
    WARD_TRY(auto session,
             sqlite_engine::Session::Open(file.path(), sqlite_engine::Mode::Query, kLong, ctx));
    return session.database().Execute(sql);
  }

  std::optional<std::int64_t> StatementsSent(Connector& connector) override {
    return dynamic_cast<sqlite_engine::FileConnector&>(connector).statements();
  }

  // The engine runs inside the call: when that has returned, nothing runs.
  Result<std::int64_t> QueriesRunning() override { return 0; }

  bool EndSessions() override { return false; }

  std::string StoredState() override {
    std::string state = std::to_string(fs::last_write_time(Path()).time_since_epoch().count());
    for (const auto& entry : fs::directory_iterator(folder_.path()))
      state += entry.path().filename().string() + ";";
    std::ifstream file(Path(), std::ios::binary);
    return state.append(std::istreambuf_iterator<char>(file), {});
  }

 private:
  std::string Path() const { return folder_.File("test #1%.db"); }

  std::string journal_;
  EnginePtr engine_;
  const TempFolder folder_;
  SystemClock clock_;
};

std::unique_ptr<Harness> MakeRollback() { return std::make_unique<SqliteHarness>("DELETE"); }
std::unique_ptr<Harness> MakeWal() { return std::make_unique<SqliteHarness>("WAL"); }

INSTANTIATE_TEST_SUITE_P(Sqlite, ConnectorConformance,
                         ::testing::Values(HarnessMaker{"rollback", &MakeRollback},
                                           HarnessMaker{"wal", &MakeWal}),
                         NameOfHarness);

}  // namespace
}  // namespace schemaward::connect
