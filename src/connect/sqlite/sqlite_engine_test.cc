// What SQLite has alone: its journals, its file, its shadow tables, its attacks.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/result_matchers.h"
#include "base/temp_folder.h"
#include "connect/sqlite/engine.h"
#include "connect/sqlite/file_connector.h"
#include "connect/sqlite/introspect.h"
#include "guard/guard.h"
#include "sql/samples.h"
#include "sqlite/sqlite.h"

namespace schemaward::connect {
namespace {

namespace fs = std::filesystem;
using sqlite_engine::Mode;
using sqlite_engine::Session;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::chrono::milliseconds kLong{5'000};

class SqliteEngineTest : public ::testing::Test {
 protected:
  std::string Path() const { return folder_.File("a.db"); }

  sqlite::Database Writer() {
    auto writer = sqlite::Database::Open(Path(), {.create = true});
    if (!writer) throw std::runtime_error(writer.error().ToLogText());
    return *std::move(writer);
  }

  void Given(std::string_view sql) {
    auto writer = Writer();
    const Status done = writer.Execute(sql);
    if (!done) throw std::runtime_error(done.error().ToLogText());
  }

  Result<std::unique_ptr<Connector>> Open() {
    return MakeSqliteEngine()->Open({"sqlite", Path(), ""}, ctx_);
  }

  catalog::Database Catalog() {
    auto connector = Open();
    if (!connector) throw std::runtime_error(connector.error().ToLogText());
    auto database = (*connector)->Introspect({}, ctx_);
    if (!database) throw std::runtime_error(database.error().ToLogText());
    return *std::move(database);
  }

  static const catalog::Table& TableOf(const catalog::Database& database, std::string_view name) {
    for (const catalog::Table& table : database.tables)
      if (table.name == name) return table;
    throw std::runtime_error(fmt::format("no table {}", name));
  }

  // Rows of SELECT columns FROM table.
  Result<QueryResult> Read(const std::string& table, const std::vector<std::string>& columns) {
    WARD_TRY(auto connector, Open());
    WARD_TRY(auto database, connector->Introspect({}, ctx_));
    WARD_TRY(auto approved, guard::Guard(privacy::Policy())
                                .ApproveTree(sql::SampleSelect("main", table, columns, 100),
                                             sql::Sqlite(), database.tables, {}));
    return connector->Query(approved, {}, ctx_);
  }

  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path()))
      names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }

  std::string Bytes() const {
    std::ifstream file(Path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  const TempFolder folder_;
  SystemClock clock_;
  CallContext ctx_{clock_};
};

TEST_F(SqliteEngineTest, SaysThatAFileIsNotThere) {
  auto opened = Open();
  ASSERT_THAT(opened, IsError(ErrorKind::SourceUnreachable, "the database file is not there"));
  EXPECT_THAT(opened.error().private_detail(), HasSubstr(Path()));
  EXPECT_THAT(Files(), IsEmpty());  // and makes none
}

TEST_F(SqliteEngineTest, SaysThatAFileIsNoDatabase) {
  std::ofstream(Path()) << std::string(5'000, 'x');
  EXPECT_THAT(Open(), IsError(ErrorKind::InputUnreadable, "the file is not an SQLite database"));
  fs::remove(Path());
  fs::create_directory(Path());
  EXPECT_THAT(Open(), IsError(ErrorKind::InputUnreadable, "the source is not a file"));
}

TEST_F(SqliteEngineTest, SaysThatAFileIsDamaged) {
  Given("CREATE TABLE t (a); CREATE TABLE u (b)");
  const std::string bytes = Bytes();
  std::ofstream(Path(), std::ios::binary)
      << bytes.substr(0, 100) << std::string(bytes.size() - 100, '\x7F');
  auto connector = Open();
  ASSERT_THAT(connector, IsOk());
  EXPECT_THAT((*connector)->Introspect({}, ctx_),
              IsError(ErrorKind::InputUnreadable, "the database file is damaged"));
}

TEST_F(SqliteEngineTest, TakesAnEmptyFileForAnEmptyDatabase) {
  std::ofstream(Path()).flush();
  EXPECT_THAT(Catalog().tables, IsEmpty());
}

TEST_F(SqliteEngineTest, NamesTheDatabaseAfterItsFile) {
  Given("CREATE TABLE t (a)");
  EXPECT_EQ(Catalog().name, "a");
}

TEST_F(SqliteEngineTest, SeesWhatALiveWalWriterCommits) {
  auto writer = Writer();
  ASSERT_THAT(
      writer.Execute("PRAGMA journal_mode=WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)"),
      IsOk());
  auto rows = Read("t", {"a"});
  ASSERT_THAT(rows, IsOk());
  EXPECT_THAT(rows->rows, SizeIs(1));
  const std::string before = Bytes();
  ASSERT_THAT(writer.Execute("INSERT INTO t VALUES (2)"), IsOk());
  rows = Read("t", {"a"});
  ASSERT_THAT(rows, IsOk());
  EXPECT_THAT(rows->rows, SizeIs(2));
  EXPECT_EQ(Bytes(), before);
  EXPECT_THAT(Files(), ElementsAre("a.db", "a.db-shm", "a.db-wal"));
}

TEST_F(SqliteEngineTest, DoesNotHinderAWriter) {
  auto writer = Writer();
  ASSERT_THAT(writer.Execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)"), IsOk());
  auto connector = Open();
  ASSERT_THAT(connector, IsOk());
  ASSERT_THAT((*connector)->Introspect({}, ctx_), IsOk());
  ASSERT_THAT(writer.Execute("PRAGMA busy_timeout=0; INSERT INTO t VALUES (2); DROP TABLE t"),
              IsOk());
}

TEST_F(SqliteEngineTest, LeavesNoFilesBesideAWalDatabaseThatNobodyWrites) {
  Given("PRAGMA journal_mode=WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)");
  ASSERT_THAT(Files(), ElementsAre("a.db"));
  const std::string before = Bytes();
  const auto modified = fs::last_write_time(Path());
  EXPECT_THAT(Read("t", {"a"}), IsOkAnd(::testing::Field(&QueryResult::rows, SizeIs(1))));
  EXPECT_THAT(Files(), ElementsAre("a.db"));
  EXPECT_EQ(Bytes(), before);
  EXPECT_EQ(fs::last_write_time(Path()), modified);
}

TEST_F(SqliteEngineTest, ReadsAWalThatADeadWriterLeft) {
  {
    auto writer = Writer();
    ASSERT_THAT(
        writer.Execute("PRAGMA journal_mode=WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)"),
        IsOk());
    fs::copy(Path(), folder_.File("b.db"));
    fs::copy(Path() + "-wal", folder_.File("b.db-wal"));
  }
  fs::rename(folder_.File("b.db"), Path());
  fs::rename(folder_.File("b.db-wal"), Path() + "-wal");
  const std::string before = Bytes();
  EXPECT_THAT(Read("t", {"a"}), IsOkAnd(::testing::Field(&QueryResult::rows, SizeIs(1))));
  EXPECT_EQ(Bytes(), before);
}

TEST_F(SqliteEngineTest, ReadsFromAFolderWithoutWritePermission) {
  if (::geteuid() == 0) GTEST_SKIP() << "permissions do not bind root";
  Given("PRAGMA journal_mode=WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)");
  fs::permissions(folder_.path(), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_THAT(Read("t", {"a"}), IsOkAnd(::testing::Field(&QueryResult::rows, SizeIs(1))));
}

TEST_F(SqliteEngineTest, NoticesAWriteWhileItReadsAnImmutableFile) {
  Given("PRAGMA journal_mode=WAL; CREATE TABLE t (a)");
  auto session = Session::Open(Path(), Mode::Introspect, kLong, ctx_);
  ASSERT_THAT(session, IsOk());
  EXPECT_TRUE(session->is_immutable());
  EXPECT_THAT(session->Finish(), IsOk());
  auto writer = Writer();
  ASSERT_THAT(writer.Execute("INSERT INTO t VALUES (1)"), IsOk());
  EXPECT_THAT(session->Finish(), IsError(ErrorKind::SourceUnreachable, HasSubstr("was written")));
  EXPECT_THAT(Read("t", {"a"}), IsOkAnd(::testing::Field(&QueryResult::rows, SizeIs(1))));
}

TEST_F(SqliteEngineTest, WaitsForALockNoLongerThanItsDeadline) {
  auto writer = Writer();
  ASSERT_THAT(writer.Execute("CREATE TABLE t (a); BEGIN EXCLUSIVE"), IsOk());
  CallContext ctx(clock_);
  constexpr std::chrono::milliseconds kShort{50};
  ctx.deadline = Deadline::After(clock_, kShort);
  EXPECT_THAT(MakeSqliteEngine()->Open({"sqlite", Path(), ""}, ctx),
              IsError(ErrorKind::DeadlineExceeded));
}

// A writer that is killed in the middle of a transaction leaves a journal that only a writer can
// roll back.
TEST_F(SqliteEngineTest, SaysThatAKilledWriterLeftATransaction) {
  Given("CREATE TABLE t (a); INSERT INTO t VALUES (1)");
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    auto writer = sqlite::Database::Open(Path(), {});
    const bool spilled =
        writer && writer->Execute(
                      "PRAGMA cache_size=1; BEGIN; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL "
                      "SELECT i + 1 FROM n"
                      " WHERE i < 2000) INSERT INTO t SELECT hex(zeroblob(500)) FROM n");
    ::_exit(spilled ? 0 : 1);  // no destructor runs, as under kill -9
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  ASSERT_TRUE(fs::exists(Path() + "-journal"));
  const std::string before = Bytes();
  EXPECT_THAT(Open(), IsError(ErrorKind::SourceUnreachable, HasSubstr("unfinished transaction")));
  EXPECT_EQ(Bytes(), before);
  Given("SELECT * FROM t");  // the writer's next open mends it
  EXPECT_THAT(Open(), IsOk());
}

TEST_F(SqliteEngineTest, FollowsAFileThatIsReplaced) {
  Given("CREATE TABLE t (a)");
  auto connector = Open();
  ASSERT_THAT(connector, IsOk());
  auto before = (*connector)->Fingerprint(ctx_);
  fs::rename(Path(), folder_.File("old.db"));
  Given("CREATE TABLE u (a)");
  auto after = (*connector)->Fingerprint(ctx_);
  ASSERT_THAT(after, IsOk());
  EXPECT_NE(*after, *before);
  EXPECT_EQ((*connector)->Introspect({}, ctx_)->tables.at(0).name, "u");
  fs::remove(Path());
  EXPECT_THAT((*connector)->Ping(ctx_), IsError(ErrorKind::SourceUnreachable));
  EXPECT_TRUE((*connector)->IsBroken());
}

TEST_F(SqliteEngineTest, LeavesOutShadowTablesAndItsOwn) {
  Given(
      "CREATE VIRTUAL TABLE notes USING fts5(title, body); CREATE VIRTUAL TABLE places USING "
      "rtree(id, x0, x1);"
      "CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO t VALUES (1); ANALYZE");
  const catalog::Database database = Catalog();
  std::vector<std::string> names;
  for (const catalog::Table& table : database.tables) names.push_back(table.name);
  EXPECT_THAT(names, ElementsAre("notes", "places", "t"));
  EXPECT_THAT(TableOf(database, "notes").columns,
              ElementsAre(::testing::Field(&catalog::Column::name, "title"),
                          ::testing::Field(&catalog::Column::name, "body")));
  EXPECT_THAT(database.missing, IsEmpty());
}

TEST_F(SqliteEngineTest, ReadsAnRtreeWithColumnsOfItsOwn) {
  Given(
      "CREATE VIRTUAL TABLE places USING rtree_i32(id, x0, x1, +label text); INSERT INTO places "
      "VALUES (1, 2, 3, 'here'); CREATE TABLE t (a)");
  const catalog::Database database = Catalog();
  EXPECT_THAT(database.tables, SizeIs(2));
  EXPECT_THAT(database.missing, IsEmpty());
  EXPECT_THAT(Read("places", {"id", "x0", "label"}),
              IsOkAnd(::testing::Field(&QueryResult::rows, SizeIs(1))));
}

TEST_F(SqliteEngineTest, ReadsAFullTextTable) {
  Given("CREATE VIRTUAL TABLE notes USING fts5(title, body); INSERT INTO notes VALUES ('a', 'b')");
  const std::string before = Bytes();
  EXPECT_THAT(Read("notes", {"title"}), IsOkAnd(::testing::Field(&QueryResult::rows, SizeIs(1))));
  EXPECT_EQ(Bytes(), before);
}

TEST_F(SqliteEngineTest, ListsBrokenViewsAndKeepsTheRest) {
  Given(
      "CREATE TABLE t (a); CREATE TABLE gone (b); CREATE VIEW a_good AS SELECT a FROM t; CREATE "
      "VIEW broken AS SELECT b FROM gone;"
      "CREATE VIEW broken_too AS SELECT c FROM t; CREATE VIEW calls AS SELECT no_such_function(a) "
      "AS x FROM t;"
      "CREATE VIEW over AS SELECT b FROM broken; CREATE VIEW z_good AS SELECT a, 1 AS one FROM t; "
      "DROP TABLE gone");
  const catalog::Database database = Catalog();
  std::vector<std::string> names;
  for (const catalog::Table& table : database.tables) names.push_back(table.name);
  EXPECT_THAT(names, ElementsAre("a_good", "t", "z_good"));
  EXPECT_THAT(TableOf(database, "z_good").columns, SizeIs(2));
  EXPECT_THAT(
      database.missing,
      ElementsAre(
          catalog::Missing{"main.broken", "it reads a table that is not there"},
          catalog::Missing{"main.broken_too", "it reads a column that is not there"},
          catalog::Missing{"main.calls", "it calls a function that SQLite does not have here"},
          catalog::Missing{"main.over", "it reads a table that is not there"}));
}

TEST_F(SqliteEngineTest, ListsAVirtualTableWithoutItsModule) {
  Given(
      "CREATE TABLE t (a); PRAGMA writable_schema=1;"
      "INSERT INTO sqlite_schema VALUES ('table', 'far', 'far', 0, 'CREATE VIRTUAL TABLE far USING "
      "no_such_module(x)')");
  const catalog::Database database = Catalog();
  EXPECT_THAT(database.tables, SizeIs(1));
  EXPECT_THAT(database.missing, ElementsAre(catalog::Missing{
                                    "main.far", "its virtual table module is not available here"}));
}

TEST_F(SqliteEngineTest, ReadsKindsOfTables) {
  Given(
      "CREATE TABLE w (a TEXT PRIMARY KEY, b INT) WITHOUT ROWID; CREATE TABLE s (a INTEGER, b ANY) "
      "STRICT; CREATE TABLE d (a INTEGER PRIMARY KEY DESC);"
      "CREATE TABLE n (a, b VARCHAR(10)); CREATE TABLE i (a INTEGER PRIMARY KEY)");
  const catalog::Database database = Catalog();
  EXPECT_FALSE(TableOf(database, "w").columns[0].nullable);
  EXPECT_EQ(TableOf(database, "s").columns[1].type, "ANY");
  EXPECT_EQ(TableOf(database, "n").columns[0].type, "");
  EXPECT_EQ(TableOf(database, "n").columns[1].type, "VARCHAR(10)");
  EXPECT_EQ(TableOf(database, "i").columns[0].identity, "by default");
  EXPECT_FALSE(TableOf(database, "d").columns[0].identity.has_value());
  EXPECT_TRUE(TableOf(database, "d").columns[0].nullable);
}

TEST_F(SqliteEngineTest, SpellsForeignKeysAsTheirTargetsDo) {
  Given(
      "CREATE TABLE \"Parent\" (\"Id\" INTEGER PRIMARY KEY); CREATE TABLE child (\"PARENT_id\" INT "
      "CONSTRAINT fk REFERENCES pArEnT (iD))");
  const catalog::Database database = Catalog();
  const catalog::ForeignKey& key = TableOf(database, "child").foreign_keys.at(0);
  EXPECT_EQ(key.name, "fk");
  EXPECT_EQ(key.target_table, "Parent");
  EXPECT_THAT(key.target_columns, ElementsAre("Id"));
  EXPECT_THAT(key.columns, ElementsAre("PARENT_id"));
}

TEST_F(SqliteEngineTest, ListsForeignKeysThatReferToNothing) {
  Given(
      "CREATE TABLE p (a INT); CREATE TABLE c (x INT REFERENCES absent (a), y INT REFERENCES p, z "
      "INT REFERENCES p (no_such))");
  const catalog::Database database = Catalog();
  EXPECT_THAT(TableOf(database, "c").foreign_keys, IsEmpty());
  EXPECT_THAT(database.missing, SizeIs(3));
  EXPECT_THAT(database.missing[0].reason, HasSubstr("a foreign key refers to absent"));
}

TEST_F(SqliteEngineTest, EstimatesRowsByTheHighestRowid) {
  Given(
      "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT); CREATE TABLE w (a TEXT PRIMARY KEY) WITHOUT "
      "ROWID; CREATE TABLE e (a);"
      "CREATE TABLE hidden (rowid TEXT, oid TEXT); INSERT INTO hidden VALUES ('x', 'y');"
      "INSERT INTO t SELECT value, 'text' FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL "
      "SELECT value + 1 FROM n WHERE value < 500) SELECT * FROM n)");
  const catalog::Database database = Catalog();
  EXPECT_EQ(TableOf(database, "t").row_estimate, 500);
  EXPECT_EQ(TableOf(database, "e").row_estimate, 0);
  EXPECT_EQ(TableOf(database, "w").row_estimate, std::nullopt);
  EXPECT_EQ(TableOf(database, "hidden").row_estimate, 1);
}

TEST_F(SqliteEngineTest, DoesNotTakeAnIdentifierForANumberOfRows) {
  Given(
      "CREATE TABLE people (ssn INTEGER PRIMARY KEY); INSERT INTO people VALUES (42);"
      "CREATE TABLE flakes (id INTEGER PRIMARY KEY); INSERT INTO flakes VALUES "
      "(1541815603606036480);"
      "CREATE TABLE below (id INTEGER PRIMARY KEY); INSERT INTO below VALUES (-5)");
  const catalog::Database database = Catalog();
  for (const char* name : {"people", "flakes", "below"})
    EXPECT_EQ(TableOf(database, name).row_estimate, std::nullopt) << name;
}

TEST_F(SqliteEngineTest, PrefersItsStatistics) {
  Given(
      "CREATE TABLE t (a INTEGER PRIMARY KEY, b INT); CREATE INDEX tb ON t (b); INSERT INTO t "
      "VALUES (7, 1), (9, 2); ANALYZE");
  EXPECT_EQ(TableOf(Catalog(), "t").row_estimate, 2);
}

TEST_F(SqliteEngineTest, ReadsCommentsFromTheTextOfATable) {
  Given("CREATE TABLE t ( -- about t\n a INT, -- about a\n b INT)");
  const catalog::Database database = Catalog();
  EXPECT_EQ(TableOf(database, "t").comment, "about t");
  EXPECT_EQ(TableOf(database, "t").columns[0].comment, "about a");
  EXPECT_EQ(TableOf(database, "t").columns[1].comment, "");
}

TEST_F(SqliteEngineTest, KeepsCommentsOfColumnsThatWereRenamedAndAdded) {
  Given(
      "CREATE TABLE t (a INT, -- about a\n b INT); ALTER TABLE t RENAME COLUMN a TO \"new a\"; "
      "ALTER TABLE t ADD COLUMN c INT CHECK (c IN (1, 2))");
  const catalog::Database database = Catalog();
  EXPECT_EQ(TableOf(database, "t").columns[0].comment, "about a");
  EXPECT_THAT(TableOf(database, "t").columns[2].labels, ElementsAre("1", "2"));
}

// One row per idea of the attack list for SQLite, and their kin: a session for queries refuses
// each, in prepare or in the engine.
TEST_F(SqliteEngineTest, RefusesAttacksInASessionForQueries) {
  Given("CREATE TABLE t (a); CREATE INDEX ta ON t (a); INSERT INTO t VALUES (1)");
  const std::string other = folder_.File("other.db");
  const std::string before = Bytes();
  for (const std::string& attack : {fmt::format("ATTACH DATABASE '{}' AS x", other),
                                    std::string("DETACH DATABASE main"),
                                    fmt::format("VACUUM INTO '{}'", other),
                                    std::string("VACUUM"),
                                    std::string("PRAGMA query_only=0"),
                                    std::string("PRAGMA query_only(0)"),
                                    std::string("PRAGMA user_version(7)"),
                                    std::string("PRAGMA journal_mode=WAL"),
                                    std::string("PRAGMA writable_schema=1"),
                                    std::string("PRAGMA temp_store_directory='/tmp'"),
                                    std::string("PRAGMA wal_checkpoint(TRUNCATE)"),
                                    std::string("PRAGMA schema_version=9"),
                                    std::string("PRAGMA database_list"),
                                    std::string("SELECT load_extension('x')"),
                                    std::string("WITH x AS (SELECT 1) DELETE FROM t"),
                                    std::string("INSERT INTO t VALUES (2) RETURNING a"),
                                    std::string("CREATE TEMP TABLE x AS SELECT * FROM t"),
                                    std::string("SELECT length(zeroblob(1000000000))"),
                                    std::string("SELECT length(randomblob(300000000))"),
                                    std::string("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT "
                                                "x + 1 FROM c) SELECT count(*) FROM c"),
                                    std::string("BEGIN EXCLUSIVE"),
                                    std::string("COMMIT"),
                                    std::string("SAVEPOINT s"),
                                    std::string("SELECT fts3_tokenizer('simple')"),
                                    std::string("SELECT * FROM pragma_database_list"),
                                    std::string("SELECT * FROM pragma_table_info('t')"),
                                    std::string("SELECT * FROM dbstat"),
                                    std::string("SELECT * FROM sqlite_stmt"),
                                    std::string("SELECT readfile('/etc/passwd')"),
                                    std::string("ANALYZE"),
                                    std::string("REINDEX")}) {
    auto session = Session::Open(Path(), Mode::Query, kLong, ctx_);
    ASSERT_THAT(session, IsOk());
    EXPECT_FALSE(session->database().Execute(attack)) << attack;
  }
  EXPECT_FALSE(fs::exists(other));
  EXPECT_EQ(Bytes(), before);
}

// SQLite's own finding of what a statement reads is the second opinion on the guard's.
TEST_F(SqliteEngineTest, RefusesWhatTheGuardDidNotFind) {
  Given("CREATE TABLE t (a, b); CREATE TABLE u (a, c); CREATE VIEW v AS SELECT b AS x FROM t");
  auto session = Session::Open(Path(), Mode::Query, kLong, ctx_);
  ASSERT_THAT(session, IsOk());
  const std::vector<guard::TableRead> found = {{"main", "t", {"a"}}, {"main", "v", {"x"}}};
  const std::vector<guard::TableRead> inside;
  ASSERT_THAT(session->Expect(found, inside), IsOk());
  for (const char* text :
       {"SELECT a FROM t", "SELECT count(*) FROM t", "SELECT rowid FROM t", "SELECT x FROM v"})
    EXPECT_THAT(session->Prepare(text), IsOk()) << text;
  for (const char* text : {"SELECT b FROM t", "SELECT a FROM t ORDER BY b", "SELECT a FROM u",
                           "SELECT count(*) FROM t WHERE b = 1", "SELECT * FROM t",
                           "WITH c AS (SELECT b FROM t) SELECT * FROM c"})
    EXPECT_THAT(session->Prepare(text), IsError(ErrorKind::PermissionDenied)) << text;
}

// What the authorizer is not told of, the program shows: a column that USING compares, one that an
// index brings, one that an index is sought by.
TEST_F(SqliteEngineTest, RefusesAProgramThatReadsWhatTheGuardDidNotFind) {
  Given(
      "CREATE TABLE t (a, b, c INTEGER PRIMARY KEY); CREATE TABLE u (b, d); CREATE INDEX of_b ON u "
      "(b, d); CREATE TABLE w (k TEXT, b, PRIMARY KEY (k)) WITHOUT ROWID; CREATE VIEW v AS SELECT "
      "b AS x, a FROM t");
  auto session = Session::Open(Path(), Mode::Query, kLong, ctx_);
  ASSERT_THAT(session, IsOk());
  const std::vector<guard::TableRead> found = {
      {"main", "t", {"a"}}, {"main", "u", {"d"}}, {"main", "v", {"x"}}, {"main", "w", {"k"}}};
  const std::vector<guard::TableRead> inside;
  ASSERT_THAT(session->Expect(found, inside), IsOk());
  for (const char* text :
       {"SELECT a FROM t", "SELECT d FROM u", "SELECT x FROM v ORDER BY x", "SELECT k FROM w",
        "SELECT count(*) FROM t, u", "SELECT a, d FROM t JOIN u ON a = d"}) {
    EXPECT_THAT(session->Prepare(text), IsOk()) << text;
    EXPECT_THAT(session->CheckProgram(text), IsOk()) << text;
  }
  ASSERT_THAT(session->Expect(found, inside), IsOk());  // forgets what the view read
  sqlite_engine::RemoveAuthorizerForTest(*session);
  for (const char* text : {"SELECT a, d FROM t JOIN u USING (b)", "SELECT d FROM u WHERE b = 1",
                           "SELECT a FROM t NATURAL JOIN u", "SELECT b FROM w", "SELECT b FROM t"})
    EXPECT_THAT(session->CheckProgram(text), IsError(ErrorKind::PermissionDenied)) << text;
}

// A join's own index would give the rows of one key in the order of the other columns in it.
TEST_F(SqliteEngineTest, MakesNoIndexForAJoinWhereTheStatementSaysSo) {
  Given("CREATE TABLE t (a, b); CREATE TABLE u (a, c)");
  const char* const join = "EXPLAIN QUERY PLAN SELECT c FROM t JOIN u ON t.a = u.a";
  const auto plan_of = [&](Session& session) {
    std::string plan;
    auto statement = session.Prepare(join);
    while (statement && *session.Step(*statement)) plan += statement->Text(3);
    return plan;
  };
  auto session = Session::Open(Path(), Mode::Query, kLong, ctx_);
  ASSERT_THAT(session, IsOk());
  EXPECT_THAT(session->Apply({"", {{"query_only", "off"}}}), IsError(ErrorKind::Internal));
  EXPECT_THAT(session->Prepare("PRAGMA automatic_index=on"), IsError(ErrorKind::PermissionDenied));
  EXPECT_THAT(plan_of(*session), HasSubstr("AUTOMATIC"));
  ASSERT_THAT(session->Apply({"", {{"automatic_index", "off"}}}), IsOk());
  EXPECT_THAT(plan_of(*session), ::testing::Not(HasSubstr("AUTOMATIC")));
  auto handle = sqlite_engine::OpenHandle(Path(), Mode::Query, ctx_);
  ASSERT_THAT(handle, IsOk());
  ASSERT_THAT(handle->database.Execute("PRAGMA automatic_index=off"), IsOk());
  auto next = Session::Resume(*std::move(handle), kLong, ctx_);
  ASSERT_THAT(next, IsOk());
  EXPECT_THAT(plan_of(*next), HasSubstr("AUTOMATIC"));
}

TEST_F(SqliteEngineTest, RefusesSeveralStatementsAndNone) {
  Given("CREATE TABLE t (a)");
  auto session = Session::Open(Path(), Mode::Query, kLong, ctx_);
  ASSERT_THAT(session, IsOk());
  EXPECT_THAT(session->Prepare("SELECT a FROM t; SELECT a FROM t"), IsError(ErrorKind::NotARead));
  EXPECT_THAT(session->Prepare("SELECT a FROM t;"), IsOk());
  EXPECT_THAT(session->Prepare(""), IsError(ErrorKind::NotARead));
  EXPECT_THAT(session->Prepare("-- nothing"), IsError(ErrorKind::NotARead));
}

// The authorizer is one layer; without it the engine's own state still refuses.
TEST_F(SqliteEngineTest, RefusesWritesWithoutItsAuthorizerToo) {
  Given("CREATE TABLE t (a)");
  auto session = Session::Open(Path(), Mode::Introspect, kLong, ctx_);
  ASSERT_THAT(session, IsOk());
  sqlite_engine::RemoveAuthorizerForTest(*session);
  for (const char* write :
       {"INSERT INTO t VALUES (1)", "CREATE TABLE u (a)", "DROP TABLE t", "ATTACH ':memory:' AS x"})
    EXPECT_FALSE(session->database().Execute(write)) << write;
}

TEST_F(SqliteEngineTest, TakesAMissingQuotedColumnForAnErrorAndNotForAText) {
  Given("CREATE TABLE t (a)");
  auto session = Session::Open(Path(), Mode::Query, kLong, ctx_);
  ASSERT_THAT(session, IsOk());
  EXPECT_THAT(session->Prepare("SELECT \"no_such\" FROM t"), IsError(ErrorKind::SchemaDrift));
}

TEST_F(SqliteEngineTest, IntrospectsChinook) {
  const char* data = std::getenv("SCHEMAWARD_TEST_DATA");  // NOLINT(concurrency-mt-unsafe)
  const fs::path chinook = fs::path(data != nullptr ? data : WARD_SOURCE_DIR "/../shared/data") /
                           "schemas" / "chinook.sqlite";
  if (!fs::exists(chinook)) GTEST_SKIP() << "no sample database; set SCHEMAWARD_TEST_DATA";
  fs::copy(chinook, Path());
  const catalog::Database database = Catalog();
  EXPECT_THAT(database.tables, SizeIs(11));
  EXPECT_THAT(database.missing, IsEmpty());
  std::size_t keys = 0;
  for (const catalog::Table& table : database.tables) {
    EXPECT_TRUE(table.primary_key.has_value()) << table.name;
    EXPECT_TRUE(table.row_estimate.has_value()) << table.name;
    keys += table.foreign_keys.size();
  }
  EXPECT_EQ(keys, 11u);
}

}  // namespace
}  // namespace schemaward::connect
