// What is DuckDB's own: locks, what the hardened session refuses, types, files that are none.

#include "connect/duckdb/duckdb.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/result_matchers.h"
#include "connect/conformance/conformance.h"
#include "connect/duckdb/test_file.h"
#include "guard/guard.h"
#include "sql/samples.h"

namespace schemaward::connect::duckdb {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// Machines that run tests are busy; nominally it is kIdleMax and a tenth of a second.
constexpr milliseconds kReleasedWithin{2'000};
constexpr milliseconds kPoll{20};
constexpr int kPollsMax = 500;

class DuckdbTest : public ::testing::Test {
 protected:
  void SetUp() override {
    file_ = TestFile::Make();
    if (file_ == nullptr) GTEST_SKIP() << "SCHEMAWARD_DUCKDB does not name DuckDB's library";
    Given("CREATE TABLE t (i INTEGER); INSERT INTO t VALUES (1)");
  }
  void Given(const std::string& sql) {
    engine_.instances().CloseIdle();
    ASSERT_THAT(file_->Execute(sql), IsOk()) << sql;
  }
  Target TargetOf(const std::string& path) const {
    return {"duckdb", path, "", file_->library_path()};
  }
  std::unique_ptr<Connector> Open(const std::string& path) {
    auto connector = engine_.Open(TargetOf(path), ctx_);
    if (!connector) throw std::runtime_error(connector.error().ToLogText());
    return *std::move(connector);
  }
  std::unique_ptr<Connector> Open() { return Open(file_->path()); }
  guard::Approved Approve(Connector& connector, const sql::Select& select) {
    auto database = connector.Introspect({}, ctx_);
    auto approved = guard::Guard(privacy::Policy())
                        .ApproveTree(select, sql::DuckDb(), database->tables, ctx_.principal);
    if (!approved) throw std::runtime_error(approved.error().ToLogText());
    return *std::move(approved);
  }
  QueryResult Ask(Connector& connector, const sql::Select& select, const QueryLimits& limits = {}) {
    auto result = connector.Query(Approve(connector, select), limits, ctx_);
    if (!result) throw std::runtime_error(result.error().ToLogText());
    return *std::move(result);
  }
  std::vector<std::string> Column(Connector& connector, const sql::Select& select) {
    std::vector<std::string> cells;
    for (const auto& row : Ask(connector, select).rows) cells.push_back(Describe(row.front()));
    return cells;
  }
  // SELECT expression FROM main.table
  sql::Select Of(const std::string& table, sql::Expression expression) {
    sql::Select select = sql::SampleSelect("main", table, {}, 1'000);
    select.columns = {{sql::Make(std::move(expression)), "x"}};
    return select;
  }
  Status Attempt(const std::string& sql) {
    auto connector = Open();
    return dynamic_cast<FileConnector&>(*connector).Attempt(sql, ctx_);
  }
  bool WaitUntilClosed(milliseconds within) {
    const auto give_up = steady_clock::now() + within;
    while (engine_.instances().open_count() > 0 && steady_clock::now() < give_up)
      std::this_thread::sleep_for(kPoll);
    return engine_.instances().open_count() == 0;
  }

  SystemClock clock_;
  CallContext ctx_{clock_};
  std::unique_ptr<TestFile> file_;
  DuckdbEngine engine_;
};

// Another process that opens the file for writing.
class Writer {
 public:
  Writer(const TestFile& file, const std::string& sql, bool hold)
      : answer_(file.folder() / "said") {
    const std::string command =
        fmt::format("exec {} {} '{}' \"{}\" {} > '{}'", WARD_DUCKDB_WRITER, file.library_path(),
                    file.path(), sql, hold ? "hold" : "", answer_.string());
    pipe_ = ::popen(command.c_str(), "w");  // NOLINT(cert-env33-c): a program of ours
  }
  ~Writer() { End(); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Waits until it has run its statement, and returns its first line.
  std::string Answer() {
    std::string line;
    for (int i = 0; i < kPollsMax && line.empty(); ++i) {
      std::ifstream file(answer_);
      std::getline(file, line);
      if (line.empty()) std::this_thread::sleep_for(kPoll);
    }
    return line;
  }
  void End() {
    if (pipe_ != nullptr) ::pclose(std::exchange(pipe_, nullptr));
  }

 private:
  const fs::path answer_;
  FILE* pipe_ = nullptr;
};

TEST_F(DuckdbTest, LetsAnotherProcessWriteWhenIdle) {
  auto connector = Open();
  EXPECT_THAT(Column(*connector, sql::SampleSelect("main", "t", {"i"}, 10)), ElementsAre("int:1"));
  ASSERT_TRUE(WaitUntilClosed(kReleasedWithin));
  EXPECT_EQ(Writer(*file_, "INSERT INTO t VALUES (2)", false).Answer(), "done");
  EXPECT_THAT(Column(*connector, sql::SampleSelect("main", "t", {"i"}, 10)),
              ElementsAre("int:1", "int:2"));
}

TEST_F(DuckdbTest, OpensTheFileOnceForABurstOfCalls) {
  auto first = Open();
  auto second = Open();
  EXPECT_THAT(first->Ping(ctx_), IsOk());
  EXPECT_THAT(second->Ping(ctx_), IsOk());
  EXPECT_EQ(engine_.instances().open_count(), 1u);
}

TEST_F(DuckdbTest, NamesTheProcessThatHoldsTheLock) {
  Writer writer(*file_, "INSERT INTO t VALUES (2)", true);
  ASSERT_EQ(writer.Answer(), "done");
  auto refused = engine_.Open(TargetOf(file_->path()), ctx_);
  ASSERT_THAT(refused, IsError(ErrorKind::SourceUnreachable));
  EXPECT_THAT(refused.error().message(), HasSubstr("another program keeps the database file open"));
  EXPECT_THAT(refused.error().detail(),
              ::testing::MatchesRegex("Process [0-9]+ .* holds its lock."));
  EXPECT_THAT(refused.error().detail(), HasSubstr("connect_duckdb_writer"));
  EXPECT_THAT(refused.error().message() + refused.error().detail() + refused.error().hint(),
              ::testing::Not(HasSubstr("/")));
  writer.End();
  EXPECT_THAT(engine_.Open(TargetOf(file_->path()), ctx_), IsOk());
}

TEST_F(DuckdbTest, WaitsForAWriterThatIsSoonDone) {
  Writer writer(*file_, "INSERT INTO t VALUES (2)", true);
  ASSERT_EQ(writer.Answer(), "done");
  std::jthread ends([&] {
    std::this_thread::sleep_for(kLockWaitMax / 5);
    writer.End();
  });
  EXPECT_THAT(engine_.Open(TargetOf(file_->path()), ctx_), IsOk());
}

TEST_F(DuckdbTest, SeesTheFileThatTookThePathMeanwhile) {
  auto connector = Open();
  EXPECT_THAT(Column(*connector, sql::SampleSelect("main", "t", {"i"}, 10)), ElementsAre("int:1"));
  const auto other = TestFile::Make();
  ASSERT_THAT(other->Execute("CREATE TABLE t (i INTEGER); INSERT INTO t VALUES (7)"), IsOk());
  fs::rename(other->path(), file_->path());
  EXPECT_THAT(Column(*connector, sql::SampleSelect("main", "t", {"i"}, 10)), ElementsAre("int:7"));
}

// Ideas of public reports, each beside what the guard refuses.
TEST_F(DuckdbTest, RefusesOtherFilesSettingsAndExtensions) {
  const std::string out = file_->folder() / "out";
  std::ofstream(file_->folder() / "secret.csv") << "a\n1\n";
  const std::string csv = file_->folder() / "secret.csv";
  for (const std::string& sql :
       {fmt::format("SELECT * FROM read_text('{}')", csv),
        fmt::format("SELECT * FROM '{}'", csv),
        fmt::format("SELECT * FROM read_csv('{}')", csv),
        fmt::format("SELECT * FROM read_blob('{}')", csv),
        fmt::format("SELECT * FROM glob('{}/*')", file_->folder().string()),
        fmt::format("SELECT * FROM sniff_csv('{}')", csv),
        fmt::format("COPY (SELECT 1) TO '{}'", out),
        fmt::format("EXPORT DATABASE '{}'", out),
        fmt::format("ATTACH '{}' AS other", out),
        fmt::format("ATTACH '{}' AS again", csv),
        std::string("INSTALL httpfs"),
        std::string("LOAD httpfs"),
        std::string("SELECT * FROM read_csv('http://127.0.0.1:1/x')"),
        std::string("SET memory_limit = '8GB'"),
        std::string("SET threads = 8"),
        fmt::format("SET temp_directory = '{}'", out),
        std::string("SET lock_configuration = false"),
        std::string("SET enable_external_access = true"),
        std::string("RESET memory_limit"),

        fmt::format("SET log_query_path = '{}'", out),
        std::string("CREATE PERSISTENT SECRET s (TYPE http)"),
        std::string("CREATE MACRO f(x) AS x"),
        std::string("CREATE SEQUENCE s"),
        std::string("DROP TABLE t")})
    EXPECT_FALSE(Attempt(sql)) << sql;
  EXPECT_FALSE(fs::exists(out));
}

TEST_F(DuckdbTest, PreparesOneSelectAndNothingElse) {
  CallContext& ctx = ctx_;
  auto lease = engine_.instances().Acquire(file_->library(), file_->path(), ctx);
  ASSERT_THAT(lease, IsOk());
  auto session = Session::Open(*std::move(lease), Joins::Planned, milliseconds(5'000), ctx);
  ASSERT_THAT(session, IsOk());
  EXPECT_THAT((*session)->Prepare("SELECT i FROM t", During::Query), IsOk());
  for (const char* sql :
       {"SELECT 1; SELECT 2", "PREPARE p AS DELETE FROM t", "SET VARIABLE a = 1", "CHECKPOINT",
        "CALL pragma_version()", "EXPLAIN SELECT 1", "EXPLAIN ANALYZE DELETE FROM t",
        "CREATE TEMP TABLE x (a INTEGER)", "DELETE FROM t", "USE main", "", "-- nothing"})
    EXPECT_FALSE((*session)->Prepare(sql, During::Query)) << sql;
  EXPECT_THAT((*session)->Prepare(std::string_view("SELECT 1\0 FROM t", 16), During::Query),
              IsError(ErrorKind::NotARead));
}

// A view that gives more than is asked of it brings estimates of columns that are not asked for.
TEST_F(DuckdbTest, JoinsAsWrittenWhereAPlanCouldFollowBlockedColumns) {
  Given(
      "CREATE TABLE person (id INTEGER, email VARCHAR); INSERT INTO person VALUES (1, 'a@b.c'); "
      "CREATE VIEW everyone AS SELECT p.id, p.email, t.i FROM t JOIN person p ON p.id = t.i");
  auto connector = Open();
  const auto database = connector->Introspect({}, ctx_);
  ASSERT_THAT(database, IsOk());
  guard::TableList lookup(database->tables);
  const auto approve = [&](const char* text) {
    auto approved =
        guard::Guard(privacy::Policy()).ApproveText({text, {}}, sql::DuckDb(), lookup, {}, nullptr);
    if (!approved) throw std::runtime_error(approved.error().ToLogText());
    return *std::move(approved);
  };
  const auto written =
      approve("SELECT e.id FROM everyone e, t b, t c WHERE e.id = c.i AND b.i = 2 - c.i");
  const auto planned = approve("SELECT a.i FROM t a, t b, t c WHERE a.i = c.i AND b.i = 2 - c.i");
  const auto plan_of = [&](const guard::Approved& approved) {
    const auto plan = connector->Explain(approved, ctx_);
    return plan ? plan->text : plan.error().ToLogText();
  };
  EXPECT_THAT(plan_of(written), HasSubstr("CROSS_PRODUCT"));
  EXPECT_THAT(plan_of(planned), ::testing::Not(HasSubstr("CROSS_PRODUCT")));
  for (const guard::Approved* one : {&written, &planned}) {
    const auto rows = connector->Query(*one, {}, ctx_);
    ASSERT_THAT(rows, IsOk());
    ASSERT_THAT(rows->rows, SizeIs(1));
    EXPECT_EQ(Describe(rows->rows[0][0]), "int:1");
  }
  // What ended the process: sides of an ASOF join that no optimizer had estimated.
  const auto asof =
      approve("SELECT count(*) FROM everyone e ASOF JOIN t ON t.i = e.id AND e.id >= t.i");
  const auto rows = connector->Query(asof, {}, ctx_);
  ASSERT_THAT(rows, IsOk());
  EXPECT_EQ(Describe(rows->rows[0][0]), "int:1");
  EXPECT_EQ(engine_.instances().open_count(), 1u);
  connector.reset();
  ASSERT_TRUE(WaitUntilClosed(kReleasedWithin));
  EXPECT_EQ(Writer(*file_, "INSERT INTO t VALUES (2)", false).Answer(), "done");
}

// Opening a file a second time gives the process's lock up for a moment: a writer may have come.
TEST_F(DuckdbTest, GivesAFileUpThatWasWrittenBeforeItWasOpenedTheOtherWay) {
  auto lease = engine_.instances().Acquire(file_->library(), file_->path(), ctx_);
  auto other = engine_.instances().Acquire(file_->library(), file_->path(), ctx_);
  ASSERT_TRUE(lease && other);
  const auto session = Session::Open(*std::move(lease), Joins::Planned, milliseconds(5'000), ctx_);
  ASSERT_THAT(session, IsOk());
  auto statement = (*session)->Prepare("SELECT i FROM t", During::Query);
  ASSERT_THAT(statement, IsOk());
  auto rows = (*session)->Execute(*statement, During::Query);
  ASSERT_THAT(rows, IsOk());
  fs::last_write_time(file_->path(), fs::file_time_type::clock::now() - std::chrono::hours(1));
  EXPECT_THAT(Session::Open(*std::move(other), Joins::AsWritten, milliseconds(5'000), ctx_),
              IsError(ErrorKind::SourceUnreachable));
  EXPECT_THAT((*session)->Next(*rows, During::Query), IsError(ErrorKind::SourceUnreachable));
  auto again = engine_.instances().Acquire(file_->library(), file_->path(), ctx_);
  ASSERT_THAT(again, IsOk());
  EXPECT_THAT(Session::Open(*std::move(again), Joins::AsWritten, milliseconds(5'000), ctx_),
              IsOk());
}

TEST_F(DuckdbTest, LeavesNoSessionStateBehind) {
  auto connector = Open();
  auto& file = dynamic_cast<FileConnector&>(*connector);
  EXPECT_THAT(file.Attempt("CREATE TEMP TABLE left_over (a INTEGER)", ctx_), IsOk());
  EXPECT_FALSE(file.Attempt("SELECT * FROM left_over", ctx_));
  EXPECT_THAT(file.Attempt("SET VARIABLE left_over = 7", ctx_), IsOk());
  constexpr const char* kFailsWhereSet =
      "SELECT CASE WHEN getvariable('left_over') IS NULL THEN 'gone' ELSE error('still there') END";
  EXPECT_THAT(file.Attempt(kFailsWhereSet, ctx_), IsOk());
}

TEST_F(DuckdbTest, KeepsTheOrderOfRowsWhoseValuesTheEngineMadeTexts) {
  Given("CREATE TABLE lists AS SELECT i::INTEGER AS i, [i] AS l FROM range(40000) r(i)");
  sql::Select select = sql::SampleSelect("main", "lists", {"i", "l"}, 100'000);
  select.order_by = {{sql::MakeColumn("t", "i"), true}};
  auto connector = Open();
  const QueryResult result = Ask(*connector, select, {.rows_max = 100'000, .bytes_max = 10 << 20});
  ASSERT_THAT(result.rows, SizeIs(40'000));
  EXPECT_EQ(result.columns[1].type, "BIGINT[]");
  EXPECT_EQ(result.columns[1].name, "l");
  for (std::size_t row = 0; row < result.rows.size(); ++row) {
    const std::string number = std::to_string(result.rows.size() - 1 - row);
    ASSERT_EQ(Describe(result.rows[row][0]), "int:" + number);
    ASSERT_EQ(Describe(result.rows[row][1]), "text:[" + number + "]");
  }
}

// Before its parameters are bound, the engine does not know how wide such a result is.
TEST_F(DuckdbTest, ReadsColumnsWhoseTypesParametersDecide) {
  Given("CREATE TABLE lists AS SELECT 1 AS i, [2, 3] AS l");
  sql::Select select = sql::SampleSelect("main", "lists", {"i", "l"}, 10);
  const auto one = sql::MakeLiteral({std::int64_t{1}});
  const auto sum = sql::MakeBinary("+", one, sql::MakeCall({"coalesce", {one, one}}));
  select.columns.push_back({sum, "sum"});
  auto connector = Open();
  QueryResult result = Ask(*connector, select);
  ASSERT_THAT(result.columns, SizeIs(3));
  ASSERT_THAT(result.rows, SizeIs(1));
  EXPECT_EQ(Describe(result.rows[0][1]), "text:[2, 3]");
  EXPECT_EQ(Describe(result.rows[0][2]), "int:2");
  select.columns.erase(select.columns.begin() + 1);
  result = Ask(*connector, select);
  ASSERT_THAT(result.rows[0], SizeIs(2));
  EXPECT_EQ(Describe(result.rows[0][1]), "int:2");
}

TEST_F(DuckdbTest, ReportsCommentsEnumsDefaultsAndSizes) {
  Given(
      "CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE SCHEMA \"S\"; CREATE TABLE \"S\".people (id "
      "INTEGER PRIMARY KEY, m mood DEFAULT 'ok', l mood[], s STRUCT(a INTEGER, b VARCHAR));"
      "COMMENT ON TABLE \"S\".people IS 'who'; COMMENT ON COLUMN \"S\".people.m IS 'how';"
      "CREATE VIEW \"S\".glad AS SELECT id FROM \"S\".people; COMMENT ON VIEW \"S\".glad IS 'few';"
      "INSERT INTO \"S\".people (id) SELECT range FROM range(5000)");
  auto connector = Open();
  auto database = connector->Introspect({.schemas = {"S"}}, ctx_);
  ASSERT_THAT(database, IsOk());
  EXPECT_EQ(database->name, "shop");
  EXPECT_THAT(database->engine_version, HasSubstr("v"));
  ASSERT_THAT(database->tables, SizeIs(2));
  EXPECT_EQ(database->tables[0].comment, "few");
  EXPECT_THAT(database->tables[0].definition, HasSubstr("SELECT id FROM "));
  const catalog::Table& people = database->tables[1];
  EXPECT_EQ(people.comment, "who");
  EXPECT_EQ(people.row_estimate, 5000);
  EXPECT_EQ(people.columns[1].comment, "how");
  EXPECT_THAT(people.columns[1].labels, ElementsAre("sad", "ok"));
  EXPECT_EQ(people.columns[1].default_value, "'ok'");
  EXPECT_TRUE(people.columns[2].is_array);
  EXPECT_EQ(people.columns[3].type, "STRUCT(a INTEGER, b VARCHAR)");
}

TEST_F(DuckdbTest, ChangesItsFingerprintWithAComment) {
  auto connector = Open();
  const std::string before = connector->Fingerprint(ctx_).value();
  Given("COMMENT ON COLUMN t.i IS 'said'");
  EXPECT_NE(connector->Fingerprint(ctx_).value(), before);
}

TEST_F(DuckdbTest, TellsItsFingerprintWithoutOpeningAFileThatDidNotChange) {
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
  fs::last_write_time(file_->path(), long_ago);
  auto connector = Open();
  const std::string before = connector->Fingerprint(ctx_).value();
  engine_.instances().CloseIdle();
  Writer writer(*file_, "SELECT 1", true);
  ASSERT_EQ(writer.Answer(), "done");
  EXPECT_THAT(connector->Fingerprint(ctx_), IsOkAnd(before));
  EXPECT_EQ(engine_.instances().open_count(), 0u);
  writer.End();
  Given("ALTER TABLE t ADD COLUMN more INTEGER");
  EXPECT_NE(connector->Fingerprint(ctx_).value(), before);
}

TEST_F(DuckdbTest, ReadsAFileThatIsNamedAsOneOfItsSchemas) {
  Given(
      "CREATE SCHEMA \"Sales\"; CREATE TABLE \"Sales\".k (id INTEGER); INSERT INTO \"Sales\".k "
      "VALUES (3)");
  const std::string path = file_->folder() / "it's" / "sales.duckdb";
  fs::create_directory(file_->folder() / "it's");
  fs::copy_file(file_->path(), path);
  auto connector = Open(path);
  EXPECT_THAT(Column(*connector, sql::SampleSelect("Sales", "k", {"id"}, 10)),
              ElementsAre("int:3"));
  EXPECT_THAT(Column(*connector, sql::SampleSelect("main", "t", {"i"}, 10)), ElementsAre("int:1"));
  auto& file = dynamic_cast<FileConnector&>(*connector);
  for (const char* sql :
       {"INSERT INTO \"Sales\".k VALUES (4)", "CREATE TABLE added (a INTEGER)", "SET threads = 8",
        "SELECT * FROM read_text('/etc/hostname')", "USE memory; DROP TABLE t"})
    EXPECT_FALSE(file.Attempt(sql, ctx_)) << sql;
}

TEST_F(DuckdbTest, FollowsALinkToTheFileAndLocksThatOne) {
  const std::string link = file_->folder() / "link.duckdb";
  fs::create_symlink(file_->path(), link);
  auto direct = Open();
  auto linked = Open(link);
  EXPECT_EQ(engine_.instances().open_count(), 1u);
  EXPECT_THAT(Column(*linked, sql::SampleSelect("main", "t", {"i"}, 10)), ElementsAre("int:1"));
}

TEST_F(DuckdbTest, RefusesADatabaseInMemoryWithTheReason) {
  for (const std::string location : {":memory:", "/srv/:memory:", ":memory:named", ""}) {
    auto opened = engine_.Open(TargetOf(location), ctx_);
    ASSERT_THAT(opened, IsError(ErrorKind::InputUnreadable)) << location;
    EXPECT_THAT(opened.error().detail(), HasSubstr("empty")) << location;
  }
}

TEST_F(DuckdbTest, SaysWhatIsNoDatabase) {
  const fs::path folder = file_->folder();
  std::ofstream(folder / "text.duckdb") << std::string(20'000, 'x');
  std::ofstream(folder / "empty.duckdb").flush();
  std::ofstream(folder / "sqlite.duckdb")
      << std::string("SQLite format 3\0", 16) << std::string(20'000, '\0');
  {
    fs::copy_file(file_->path(), folder / "damaged.duckdb");
    std::fstream damaged(folder / "damaged.duckdb",
                         std::ios::in | std::ios::out | std::ios::binary);
    for (const int at : {4'100, 8'200}) damaged.seekp(at).write(std::string(100, 'x').data(), 100);
  }
  for (const char* name : {"text.duckdb", "empty.duckdb", "sqlite.duckdb", "damaged.duckdb", "."})
    EXPECT_THAT(engine_.Open(TargetOf(folder / name), ctx_), IsError(ErrorKind::InputUnreadable))
        << name;
  EXPECT_THAT(engine_.Open(TargetOf(folder / "absent.duckdb"), ctx_),
              IsError(ErrorKind::SourceUnreachable));
}

TEST_F(DuckdbTest, ReadsTheLogThatADeadWriterLeft) {
  {
    Writer writer(*file_,
                  "SET checkpoint_threshold = '1GB'; INSERT INTO t VALUES (2); CHECKPOINT; INSERT "
                  "INTO t VALUES (3)",
                  true);
    ASSERT_EQ(writer.Answer(), "done");
    // What stands on the disk now is what a killed writer would leave.
    fs::create_directory(file_->folder() / "dead");
    for (const auto& entry : fs::directory_iterator(file_->folder()))
      if (entry.path().filename().string().starts_with("shop"))
        fs::copy_file(entry.path(), file_->folder() / "dead" / entry.path().filename());
  }
  ASSERT_TRUE(fs::exists(file_->folder() / "dead" / "shop.duckdb.wal"));
  auto connector = Open(file_->folder() / "dead" / "shop.duckdb");
  EXPECT_THAT(Column(*connector, sql::SampleSelect("main", "t", {"i"}, 10)),
              ElementsAre("int:1", "int:2", "int:3"));
  EXPECT_TRUE(fs::exists(file_->folder() / "dead" / "shop.duckdb.wal"));
}

TEST_F(DuckdbTest, EstimatesTheRowsOfAPlanAndNoCost) {
  Given("CREATE TABLE many AS SELECT range::INTEGER AS i FROM range(3000)");
  auto connector = Open();
  sql::Select all = sql::SampleSelect("main", "many", {"i"}, 1);
  all.limit.reset();
  auto plan = connector->Explain(Approve(*connector, all), ctx_);
  ASSERT_THAT(plan, IsOk());
  EXPECT_LT(plan->cost, 0);
  EXPECT_EQ(plan->rows, 3000);
  EXPECT_THAT(plan->text, HasSubstr("many"));
}

TEST_F(DuckdbTest, IsUnavailableWithoutTheLibrary) {
  DuckdbEngine engine;
  auto opened = engine.Open({"duckdb", file_->path(), "", "/nowhere/libduckdb.so"}, ctx_);
  ASSERT_THAT(opened, IsError(ErrorKind::EngineUnavailable));
  EXPECT_THAT(opened.error().hint(), HasSubstr("SCHEMAWARD_DUCKDB"));
}

// The two hours of a clock set back stay two; zones of half hours cut at their own full hours.
TEST_F(DuckdbTest, CutsInstantsToPeriodsOfAZone) {
  Given(
      "CREATE TABLE moments (moment TIMESTAMPTZ); INSERT INTO moments VALUES ('2024-10-26 "
      "22:30:00+00'), ('2024-10-27 00:30:00+00'), ('2024-10-27 01:30:00+00'), (NULL), "
      "('infinity')");
  auto connector = Open();
  const auto cut = [&](sql::TimeGrain grain, const std::string& zone, int week_start = 1) {
    sql::TimeBucket bucket;
    bucket.operand = sql::MakeColumn("t", "moment");
    bucket.kind = sql::TimeKind::Instant;
    bucket.grain = grain;
    bucket.zone = zone;
    bucket.week_start = week_start;
    return Column(*connector, Of("moments", {bucket}));
  };
  EXPECT_THAT(cut(sql::TimeGrain::Hour, "Europe/Berlin"),
              ElementsAre("text:2024-10-26T22:00:00+00:00", "text:2024-10-27T00:00:00+00:00",
                          "text:2024-10-27T01:00:00+00:00", "null", "null"));
  EXPECT_THAT(cut(sql::TimeGrain::Hour, "Asia/Kolkata"),
              ElementsAre("text:2024-10-26T22:30:00+00:00", "text:2024-10-27T00:30:00+00:00",
                          "text:2024-10-27T01:30:00+00:00", "null", "null"));
  EXPECT_THAT(cut(sql::TimeGrain::Day, "Europe/Berlin"),
              ElementsAre("text:2024-10-27", "text:2024-10-27", "text:2024-10-27", "null",
                          "text:infinity"));
  EXPECT_THAT(cut(sql::TimeGrain::Week, "UTC", 7),
              ElementsAre("text:2024-10-20", "text:2024-10-27", "text:2024-10-27", "null",
                          "text:infinity"));
  EXPECT_THAT(cut(sql::TimeGrain::Quarter, ""),
              ElementsAre("text:2024-10-01", "text:2024-10-01", "text:2024-10-01", "null",
                          "text:infinity"));
}

TEST_F(DuckdbTest, ShowsATimeWrittenInOneZoneInAnother) {
  Given(
      "CREATE TABLE shifts (started TIMESTAMP); INSERT INTO shifts VALUES ('2024-12-31 23:30:00'), "
      "('2025-01-01 06:30:00')");
  sql::TimeBucket bucket;
  bucket.operand = sql::MakeColumn("t", "started");
  bucket.zone = "America/New_York";
  bucket.own_zone = "Europe/Berlin";
  auto connector = Open();
  EXPECT_THAT(Column(*connector, Of("shifts", {bucket})),
              ElementsAre("text:2024-12-31", "text:2025-01-01"));
}

TEST_F(DuckdbTest, InterpolatesPercentilesOfDecimals) {
  Given("CREATE TABLE prices (p DECIMAL(10, 2)); INSERT INTO prices VALUES (1.00), (2.05), (NULL)");
  auto connector = Open();
  EXPECT_THAT(Column(*connector, Of("prices", {sql::Percentile{sql::MakeColumn("t", "p"), 0.5}})),
              ElementsAre("double:1.525"));
  EXPECT_THAT(Column(*connector,
                     Of("prices", {sql::Cast{sql::MakeColumn("t", "p"), sql::CastType::Decimal}})),
              ElementsAre("decimal:1.0000000000", "decimal:2.0500000000", "null"));
}

TEST_F(DuckdbTest, MatchesTextsWithoutCaseAndTakesWildcardsForThemselves) {
  Given(
      "CREATE TABLE names (n VARCHAR); INSERT INTO names VALUES ('\xC3\x84X 100%'), ('axe 1000')");
  auto connector = Open();
  sql::Select select = sql::SampleSelect("main", "names", {"n"}, 10);
  select.where = sql::Make({sql::TextMatch{sql::MakeColumn("t", "n"), "\xC3\xA4x 100%", true}});
  EXPECT_THAT(Column(*connector, select), SizeIs(1));
  select.where = sql::Make({sql::TextMatch{sql::MakeColumn("t", "n"), "0%", false}});
  EXPECT_THAT(Column(*connector, select), SizeIs(1));
}

TEST_F(DuckdbTest, ComparesMomentsAndMovesThem) {
  Given(
      "CREATE TABLE moments (moment TIMESTAMPTZ, day DATE); INSERT INTO moments VALUES "
      "('2024-02-29 "
      "12:00:00+00', '2024-02-29'), ('2024-03-01 12:00:00+00', '2024-03-01')");
  constexpr std::int64_t kDay = 86'400'000'000, kLeapDay = 19'782 * kDay;
  auto connector = Open();
  const auto kind = sql::TimeKind::Instant;
  sql::Select select = sql::SampleSelect("main", "moments", {"day"}, 10);
  const auto at = sql::Make({sql::Comparable{sql::MakeColumn("t", "moment"), kind}});
  const auto later = sql::Make({sql::Shifted{at, -kDay, kind}});
  select.where = sql::MakeBinary(">=", later, sql::Make({sql::Moment{kLeapDay, kind}}));
  EXPECT_THAT(Column(*connector, select), ElementsAre("text:2024-03-01"));
}

// To the engine a macro of the database comes before its own functions and operators.
TEST_F(DuckdbTest, MacrosDoNotStandInForTheEnginesFunctions) {
  Given(
      "CREATE TABLE account (id INTEGER, plan VARCHAR, email VARCHAR);"
      "INSERT INTO account VALUES (1, 'gold', 'kept'); CREATE VIEW plans AS SELECT plan FROM "
      "account");
  const auto open = Open();
  const auto before = open->Introspect({}, ctx_);
  ASSERT_THAT(before, IsOk());
  const auto fingerprint = open->Fingerprint(ctx_);
  Given(
      "CREATE MACRO upper(x) AS (SELECT max(email) FROM account);"
      "CREATE MACRO main.\"+\"(a, b) AS (SELECT max(email) FROM account);"
      "CREATE MACRO \"~~\"(a, b) AS (SELECT max(email) FROM account) = 'kept';"
      "CREATE MACRO count_star() AS (SELECT max(email) FROM account);"
      "CREATE MACRO current_database() AS 'other';"
      "CREATE MACRO range(a) AS TABLE SELECT email FROM account");
  const auto connector = Open();
  const auto database = connector->Introspect({}, ctx_);
  ASSERT_THAT(database, IsOk());
  guard::TableList lookup(database->tables);
  const guard::Guard guard{privacy::Policy()};
  for (const auto& [text, said] : std::map<std::string_view, std::string_view>{
           {"SELECT upper(plan) FROM account", "text:GOLD"},
           {"SELECT id + 1 FROM account", "int:2"},
           {"SELECT plan LIKE 'x%' FROM account", "bool:false"},
           {"SELECT count(*) FROM account", "int:1"},
           {"SELECT * FROM range(1)", "int:0"}}) {
    const auto approved =
        guard.ApproveText({text, {}}, sql::DuckDb(), lookup, ctx_.principal, nullptr);
    ASSERT_THAT(approved, IsOk()) << text;
    const auto result = connector->Query(*approved, {}, ctx_);
    ASSERT_THAT(result, IsOk()) << text;
    EXPECT_EQ(Describe(result->rows.front().front()), said) << text;
    EXPECT_THAT(connector->Explain(*approved, ctx_), IsOk()) << text;
  }
  // A view's text is read as the engine reads it: what it is made of is not known any more.
  EXPECT_THAT(guard.ApproveText({"SELECT plan FROM plans", {}}, sql::DuckDb(), lookup,
                                ctx_.principal, nullptr),
              IsError(ErrorKind::PolicyBlocked));
  guard::TableList known(before->tables);
  EXPECT_THAT(guard.ApproveText({"SELECT plan FROM plans", {}}, sql::DuckDb(), known,
                                ctx_.principal, nullptr),
              IsOk());
  EXPECT_NE(*connector->Fingerprint(ctx_), *fingerprint);
}

}  // namespace
}  // namespace schemaward::connect::duckdb
