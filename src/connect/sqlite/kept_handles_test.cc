// What is kept open between queries, and what that must never cost: a lock, an old answer, a
// weaker session.

#include "connect/sqlite/kept_handles.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/result_matchers.h"
#include "base/temp_folder.h"
#include "connect/sqlite/file_connector.h"
#include "connect/sqlite/session.h"
#include "guard/guard.h"
#include "sql/samples.h"
#include "sqlite/sqlite.h"

namespace schemaward::connect::sqlite_engine {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using ::testing::ElementsAre;

constexpr milliseconds kLong{5'000};
constexpr std::chrono::hours kHour{1};

// A calendar that goes ahead of the machine's, so that a file that was just written counts as old.
class LaterClock final : public Clock {
 public:
  std::chrono::steady_clock::time_point Now() const override { return real_.Now(); }
  std::int64_t UnixMicros() const override {
    return real_.UnixMicros() + std::chrono::microseconds(ahead).count();
  }
  std::chrono::microseconds ahead = kHour;

 private:
  SystemClock real_;
};

class KeptHandlesTest : public ::testing::Test {
 protected:
  std::string Path() const { return folder_.File("a.db"); }

  static sqlite::Database Writer(const std::string& path) {
    auto writer = sqlite::Database::Open(path, {.create = true, .busy_timeout_ms = 0});
    if (!writer) throw std::runtime_error(writer.error().ToLogText());
    return *std::move(writer);
  }

  void Given(std::string_view sql, const std::string& name = "a.db") {
    auto writer = Writer(folder_.File(name));
    const Status done = writer.Execute(sql);
    if (!done) throw std::runtime_error(done.error().ToLogText());
  }

  // The first cells of SELECT column FROM table, as numbers.
  std::vector<std::int64_t> Read(const std::string& table, const std::string& column,
                                 QueryLimits limits = {}) {
    auto database = connector_.Introspect({}, ctx_);
    if (!database) throw std::runtime_error(database.error().ToLogText());
    auto approved = guard::Guard(privacy::Policy())
                        .ApproveTree(sql::SampleSelect("main", table, {column}, 100), sql::Sqlite(),
                                     database->tables, {});
    if (!approved) throw std::runtime_error(approved.error().ToLogText());
    const std::int64_t before = connector_.opened();
    auto rows = connector_.Query(*approved, limits, ctx_);
    opened_ += connector_.opened() - before;
    if (!rows) throw std::runtime_error(rows.error().ToLogText());
    std::vector<std::int64_t> cells;
    for (const auto& row : rows->rows) cells.push_back(std::get<std::int64_t>(row.at(0)));
    return cells;
  }

  // A handle that a session used and released.
  Handle Used() {
    auto session = Session::Open(Path(), Mode::Query, kLong, ctx_);
    if (!session) throw std::runtime_error(session.error().ToLogText());
    auto handle = session->Release();
    if (!handle) throw std::runtime_error("the handle may not be kept");
    return *std::move(handle);
  }

  // Another process asks whether this one has locked anything of the file.
  bool IsLocked() const {
    const pid_t child = ::fork();
    if (child == 0) {
      const int file = ::open(Path().c_str(), O_RDWR | O_CLOEXEC);
      struct flock lock {};
      lock.l_type = F_WRLCK;
      lock.l_whence = SEEK_SET;
      const bool asked = file >= 0 && ::fcntl(file, F_GETLK, &lock) == 0;
      ::_exit(!asked ? 2 : lock.l_type == F_UNLCK ? 0 : 1);
    }
    int status = 0;
    if (::waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) == 2)
      throw std::runtime_error("the lock could not be asked for");
    return WEXITSTATUS(status) == 1;
  }

  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path()))
      names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }

  const TempFolder folder_;
  LaterClock clock_;
  CallContext ctx_{clock_};
  std::shared_ptr<KeptHandles> kept_ = std::make_shared<KeptHandles>();
  FileConnector connector_{Path(), kept_};
  std::int64_t opened_ = 0;  // by queries
};

TEST_F(KeptHandlesTest, QueriesOfAFileThatStaysAsItIsOpenItOnce) {
  Given("CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1); CREATE TABLE u (b INTEGER)");
  EXPECT_THAT(Read("t", "a"), ElementsAre(1));
  EXPECT_THAT(Read("u", "b"), ElementsAre());  // what the first one read is not what this one may
  EXPECT_THAT(Read("t", "a"), ElementsAre(1));
  EXPECT_EQ(opened_, 1);
  EXPECT_EQ(kept_->count(), 1u);
}

TEST_F(KeptHandlesTest, ConnectorsOfOneFileShareThem) {
  Given("CREATE TABLE t (a INTEGER)");
  Read("t", "a");
  EXPECT_TRUE(kept_->Take(Path(), *StateOf(Path())).has_value());
  EXPECT_FALSE(kept_->Take(Path(), *StateOf(Path())).has_value());  // one call's alone
}

// A process that opens and closes a file gives up every lock that it holds on it.
TEST_F(KeptHandlesTest, ASecondSessionLeavesTheLocksOfTheFirst) {
  Given("CREATE TABLE t (a)");
  auto first = Session::Open(Path(), Mode::Query, kLong, ctx_);
  ASSERT_THAT(first, IsOk());
  ASSERT_TRUE(IsLocked());
  ASSERT_THAT(Session::Open(Path(), Mode::Query, kLong, ctx_), IsOk());
  EXPECT_TRUE(IsLocked());
}

TEST_F(KeptHandlesTest, AKeptHandleHoldsNoLockAndNoWriterWaits) {
  Given("CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1)");
  Read("t", "a");
  ASSERT_EQ(kept_->count(), 1u);
  EXPECT_FALSE(IsLocked());
  Given("BEGIN EXCLUSIVE; INSERT INTO t VALUES (2); COMMIT");
  Given("PRAGMA journal_mode=WAL; PRAGMA journal_mode=DELETE; VACUUM; DROP TABLE t");
}

TEST_F(KeptHandlesTest, RowsAndSchemaThatAWriterChangedAreSeen) {
  Given("CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1)");
  EXPECT_THAT(Read("t", "a"), ElementsAre(1));
  Given("UPDATE t SET a = 2");  // the same size
  EXPECT_THAT(Read("t", "a"), ElementsAre(2));
  Given("DROP TABLE t; CREATE TABLE t (b INTEGER); INSERT INTO t VALUES (3)");
  EXPECT_THAT(Read("t", "b"), ElementsAre(3));
  EXPECT_EQ(opened_, 3);
  EXPECT_EQ(kept_->count(), 1u);  // those before were closed
}

TEST_F(KeptHandlesTest, AFileThatIsReplacedOrGoneIsNotReadFromTheOldOne) {
  Given("CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1)");
  Given("CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (2)", "b.db");
  EXPECT_THAT(Read("t", "a"), ElementsAre(1));
  fs::rename(folder_.File("b.db"), Path());
  EXPECT_THAT(Read("t", "a"), ElementsAre(2));
  const auto approved = guard::Guard(privacy::Policy())
                            .ApproveTree(sql::SampleSelect("main", "t", {"a"}, 1), sql::Sqlite(),
                                         connector_.Introspect({}, ctx_)->tables, {});
  ASSERT_THAT(approved, IsOk());
  fs::remove(Path());
  EXPECT_THAT(connector_.Query(*approved, {}, ctx_), IsError(ErrorKind::SourceUnreachable));
}

// Two databases with as many writes behind them look the same to SQLite's own check.
TEST_F(KeptHandlesTest, AFileThatIsWrittenOverInItsPlaceWithItsOldTimeIsOpenedAnew) {
  Given("CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1)");
  Given("CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (2)", "b.db");
  EXPECT_THAT(Read("t", "a"), ElementsAre(1));
  const auto modified = fs::last_write_time(Path());
  {
    std::ifstream from(folder_.File("b.db"), std::ios::binary);
    std::fstream to(Path(), std::ios::binary | std::ios::in | std::ios::out);
    to << from.rdbuf();
  }
  fs::last_write_time(Path(), modified);
  EXPECT_THAT(Read("t", "a"), ElementsAre(2));
}

TEST_F(KeptHandlesTest, AFileThatWasWrittenALittleBeforeIsNotKept) {
  Given("CREATE TABLE t (a INTEGER)");
  clock_.ahead = std::chrono::microseconds(0);
  Read("t", "a");
  EXPECT_EQ(kept_->count(), 0u);
}

TEST_F(KeptHandlesTest, AWalWithoutAWriterIsKeptUntilOneComes) {
  Given("PRAGMA journal_mode=WAL; CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1)");
  EXPECT_THAT(Read("t", "a"), ElementsAre(1));
  EXPECT_THAT(Read("t", "a"), ElementsAre(1));
  EXPECT_EQ(opened_, 1);
  auto writer = Writer(Path());
  ASSERT_THAT(writer.Execute("INSERT INTO t VALUES (2)"), IsOk());
  EXPECT_THAT(Read("t", "a"), ElementsAre(1, 2));
}

// While a handle takes part in a WAL, its last writer cannot clear the log away.
TEST_F(KeptHandlesTest, AWalThatIsWrittenIsNotKept) {
  {
    auto writer = Writer(Path());
    ASSERT_THAT(writer.Execute("PRAGMA journal_mode=WAL; CREATE TABLE t (a INTEGER)"), IsOk());
    Read("t", "a");
    EXPECT_EQ(kept_->count(), 0u);
  }
  EXPECT_THAT(Files(), ElementsAre("a.db"));
}

TEST_F(KeptHandlesTest, ASessionOnAKeptHandleIsAsStrictAsOnANewOne) {
  Given("CREATE TABLE t (a INTEGER, b INTEGER)");
  for (const char* attack :
       {"DELETE FROM t", "CREATE TEMP TABLE x (a)", "ATTACH ':memory:' AS x", "PRAGMA query_only=0",
        "COMMIT", "SELECT load_extension('x')", "SELECT * FROM pragma_database_list"}) {
    auto session = Session::Resume(Used(), kLong, ctx_);
    ASSERT_THAT(session, IsOk());
    EXPECT_FALSE(session->database().Execute(attack)) << attack;
  }
  const std::vector<guard::TableRead> found = {{"main", "t", {"a"}}}, inside;
  auto session = Session::Resume(Used(), kLong, ctx_);
  ASSERT_THAT(session, IsOk());
  ASSERT_THAT(session->Expect(found, inside), IsOk());
  EXPECT_THAT(session->Prepare("SELECT a FROM t"), IsOk());
  EXPECT_THAT(session->Prepare("SELECT b FROM t"), IsError(ErrorKind::PermissionDenied));
}

TEST_F(KeptHandlesTest, EachCallHasItsOwnLimits) {
  Given("CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), (2)");
  EXPECT_THAT(Read("t", "a", {.rows_max = 1}), ElementsAre(1));
  EXPECT_THAT(Read("t", "a"), ElementsAre(1, 2));
  EXPECT_EQ(opened_, 1);
}

TEST_F(KeptHandlesTest, AStatementOnAKeptHandleEndsWithItsOwnCall) {
  Given("CREATE TABLE t (a INTEGER)");
  const auto run_on = [&](milliseconds time_max, CallContext& ctx) -> Status {
    WARD_TRY(Session session, Session::Resume(Used(), time_max, ctx));
    WARD_TRY(auto endless,
             session.Prepare("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 "
                             "FROM c) SELECT count(*) FROM c"));
    WARD_TRY([[maybe_unused]] const bool row, session.Step(endless));
    return Ok();
  };
  constexpr milliseconds kShort{20};
  EXPECT_THAT(run_on(kShort, ctx_), IsError(ErrorKind::StatementTimeout));
  CallContext stopped(clock_);
  std::stop_source stop;
  stopped.stop = stop.get_token();
  const std::jthread other([&] { stop.request_stop(); });
  EXPECT_THAT(run_on(kHour, stopped), IsError(ErrorKind::Cancelled));
}

TEST_F(KeptHandlesTest, WhatFailedIsNotUsedAgain) {
  Given("CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1)");
  const auto database = connector_.Introspect({}, ctx_);
  ASSERT_THAT(database, IsOk());
  const auto approved = guard::Guard(privacy::Policy())
                            .ApproveTree(sql::SampleSelect("main", "t", {"a"}, 1), sql::Sqlite(),
                                         database->tables, {});
  ASSERT_THAT(approved, IsOk());
  Given("DROP TABLE t");
  EXPECT_THAT(connector_.Query(*approved, {}, ctx_), IsError(ErrorKind::SchemaDrift));
  EXPECT_EQ(kept_->count(), 0u);
}

TEST_F(KeptHandlesTest, NoMoreThanTheirMostAreKeptAndTheOldestGoes) {
  Given("CREATE TABLE t (a INTEGER)");
  Handle first = Used();
  const sqlite3* oldest = first.database.handle();
  kept_->Keep(std::move(first));
  std::vector<Handle> others;
  for (std::size_t i = 0; i < kKeptMax; ++i) others.push_back(Used());
  for (Handle& other : others) kept_->Keep(std::move(other));
  EXPECT_EQ(kept_->count(), kKeptMax);
  for (std::size_t i = 0; i < kKeptMax; ++i) {
    auto handle = kept_->Take(Path(), *StateOf(Path()));
    ASSERT_TRUE(handle.has_value());
    EXPECT_NE(handle->database.handle(), oldest);
    others[i] = *std::move(handle);  // so that no address is given twice
  }
}

TEST_F(KeptHandlesTest, IdleOnesAreClosed) {
  Given("CREATE TABLE t (a INTEGER)");
  constexpr milliseconds kShort{5};
  constexpr std::chrono::seconds kGiveUp{30};
  KeptHandles kept(kShort);
  for (int round = 0; round < 2; ++round) {  // the second after the sweeper rested
    kept.Keep(Used());
    const auto give_up = std::chrono::steady_clock::now() + kGiveUp;
    while (kept.count() > 0 && std::chrono::steady_clock::now() < give_up)
      std::this_thread::yield();
    EXPECT_EQ(kept.count(), 0u);
  }
}

TEST_F(KeptHandlesTest, AHandleWithAStatementIsNotReleased) {
  Given("CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1)");
  auto session = Session::Open(Path(), Mode::Query, kLong, ctx_);
  ASSERT_THAT(session, IsOk());
  auto statement = session->Prepare("SELECT a FROM t");
  ASSERT_THAT(statement, IsOk());
  EXPECT_FALSE(session->Release().has_value());
}

}  // namespace
}  // namespace schemaward::connect::sqlite_engine
