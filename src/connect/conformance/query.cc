// How rows arrive, and what cuts them off.

#include <chrono>
#include <condition_variable>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/result_matchers.h"
#include "connect/conformance/conformance.h"
#include "sql/samples.h"

namespace schemaward::connect {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A stopped query comes back within this time on a machine that is busy with other tests.
constexpr milliseconds kReturnsWithin{5'000};
constexpr milliseconds kShortTime{100};
constexpr milliseconds kPause{20};

// Requests a stop after a moment, in which the query most likely began; the outcome is the same if
// it did not.
class StopsSoon {
 public:
  StopsSoon() : thread_([this](const std::stop_token& quit) { Run(quit); }) {}
  std::stop_token token() { return stop_.get_token(); }

 private:
  void Run(const std::stop_token& quit) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any moment;
    moment.wait_for(lock, quit, kShortTime, [] { return false; });
    stop_.request_stop();
  }
  std::stop_source stop_;
  std::jthread thread_;
};

// Waits until the engine works on no query: a statement that was told to end may stand in the
// engine's list a moment longer than its caller waits.
Result<std::int64_t> QueriesLeft(Harness& harness) {
  const auto last = steady_clock::now() + kReturnsWithin;
  while (true) {
    WARD_TRY(const std::int64_t running, harness.QueriesRunning());
    if (running == 0 || steady_clock::now() > last) return running;
    std::this_thread::sleep_for(kPause);
  }
}

TEST_P(ConnectorConformance, KeepsValuesExact) {  // COVERS: R-VAL-1
  const ValueFixture fixture = harness_->values();
  Given(fixture.sql);
  auto connector = Connect();
  std::vector<std::string> columns;
  for (const ValueCase& value : fixture.cases) columns.push_back(value.column);
  const QueryResult result = Read(*connector, "value_cases", columns);
  ASSERT_THAT(result.rows, SizeIs(1));
  ASSERT_THAT(result.rows[0], SizeIs(fixture.cases.size()));
  for (std::size_t i = 0; i < fixture.cases.size(); ++i) {
    EXPECT_EQ(Describe(result.rows[0][i]), Describe(fixture.cases[i].expected))
        << fixture.cases[i].column;
    EXPECT_EQ(result.columns[i].name, fixture.cases[i].column);
  }
}

TEST_P(ConnectorConformance, KeepsColumnsOfOneNameApart) {
  Given("CREATE TABLE pair (a INTEGER, b INTEGER); INSERT INTO pair VALUES (1, 2)");
  auto connector = Connect();
  sql::Select select = sql::SampleSelect(harness_->schema(), "pair", {"a", "b"}, 1);
  for (sql::OutputColumn& column : select.columns) column.alias = "id";
  auto result = connector->Query(Approve(*connector, select), {}, ctx_);
  ASSERT_THAT(result, IsOk());
  EXPECT_EQ(result->columns[0].name, "id");
  EXPECT_EQ(result->columns[1].name, "id");
  EXPECT_EQ(Describe(result->rows[0][0]), "int:1");
  EXPECT_EQ(Describe(result->rows[0][1]), "int:2");
}

TEST_P(ConnectorConformance, BindsParametersOfEachKind) {
  Given(
      "CREATE TABLE bound (i INTEGER, t VARCHAR(40)); INSERT INTO bound VALUES (7, 'it''s; --'), "
      "(8, 'x')");
  auto connector = Connect();
  sql::Select select = sql::SampleSelect(harness_->schema(), "bound", {"i"}, 10);
  select.where = sql::MakeBinary(
      "and", sql::MakeBinary("=", sql::MakeColumn("t", "i"), sql::MakeLiteral({std::int64_t{7}})),
      sql::MakeBinary("=", sql::MakeColumn("t", "t"), sql::MakeLiteral({std::string("it's; --")})));
  auto result = connector->Query(Approve(*connector, select), {}, ctx_);
  ASSERT_THAT(result, IsOk());
  EXPECT_THAT(result->rows, SizeIs(1));
  select.where =
      sql::MakeBinary("=", sql::MakeColumn("t", "i"), sql::MakeLiteral({std::monostate()}));
  result = connector->Query(Approve(*connector, select), {}, ctx_);
  ASSERT_THAT(result, IsOk());
  EXPECT_THAT(result->rows, IsEmpty());
  EXPECT_THAT(result->columns, SizeIs(1));
}

TEST_P(ConnectorConformance, CutsRowsAtTheLimitAndSaysSo) {
  GivenManyRows();
  auto connector = Connect();
  const guard::Approved all =
      Approve(*connector, sql::SampleSelect(harness_->schema(), "many", {"i"}, 2000));
  auto below = connector->Query(all, {.rows_max = 1999}, ctx_);
  ASSERT_THAT(below, IsOk());
  EXPECT_THAT(below->rows, SizeIs(1999));
  EXPECT_TRUE(below->truncated);
  auto exact = connector->Query(all, {.rows_max = 2000}, ctx_);
  ASSERT_THAT(exact, IsOk());
  EXPECT_THAT(exact->rows, SizeIs(2000));
  EXPECT_FALSE(exact->truncated);
}

TEST_P(ConnectorConformance, CutsRowsAtTheByteLimitAndSaysSo) {
  Given("CREATE TABLE wide (t VARCHAR(1000))");
  for (int i = 0; i < 10; ++i)
    Given(fmt::format("INSERT INTO wide VALUES ('{}')", std::string(1000, 'x')));
  auto connector = Connect();
  const guard::Approved all =
      Approve(*connector, sql::SampleSelect(harness_->schema(), "wide", {"t"}, 100));
  auto result = connector->Query(all, {.rows_max = 100, .bytes_max = 3500}, ctx_);
  ASSERT_THAT(result, IsOk());
  EXPECT_THAT(result->rows, SizeIs(3));
  EXPECT_TRUE(result->truncated);
}

TEST_P(ConnectorConformance, StopsAtTheTimeLimit) {
  GivenManyRows();
  auto connector = Connect();
  const guard::Approved endless = Approve(*connector, Endless());
  const auto begin = steady_clock::now();
  EXPECT_THAT(connector->Query(endless, {.time_max = kShortTime}, ctx_),
              IsError(ErrorKind::StatementTimeout));
  EXPECT_LT(steady_clock::now() - begin, kReturnsWithin);
  EXPECT_THAT(QueriesLeft(*harness_), IsOkAnd(0));
}

TEST_P(ConnectorConformance, StopsAtTheDeadline) {  // COVERS: R-MCP-4
  GivenManyRows();
  auto connector = Connect();
  const guard::Approved endless = Approve(*connector, Endless());
  CallContext ctx(clock_);
  ctx.deadline = Deadline::After(clock_, kShortTime);
  const auto begin = steady_clock::now();
  EXPECT_THAT(connector->Query(endless, {}, ctx), IsError(ErrorKind::DeadlineExceeded));
  EXPECT_LT(steady_clock::now() - begin, kReturnsWithin);
  EXPECT_THAT(QueriesLeft(*harness_), IsOkAnd(0));
}

TEST_P(ConnectorConformance, StopsWhenTheCallerGivesUp) {  // COVERS: R-MCP-4
  GivenManyRows();
  auto connector = Connect();
  const guard::Approved endless = Approve(*connector, Endless());
  StopsSoon soon;
  CallContext ctx(clock_);
  ctx.stop = soon.token();
  const auto begin = steady_clock::now();
  EXPECT_THAT(connector->Query(endless, {}, ctx), IsError(ErrorKind::Cancelled));
  EXPECT_LT(steady_clock::now() - begin, kReturnsWithin);
  EXPECT_THAT(QueriesLeft(*harness_), IsOkAnd(0));
}

TEST_P(ConnectorConformance, ServesTheNextCallAfterAStop) {
  GivenManyRows();
  auto connector = Connect();
  const guard::Approved endless = Approve(*connector, Endless());
  EXPECT_THAT(connector->Query(endless, {.time_max = kShortTime}, ctx_),
              IsError(ErrorKind::StatementTimeout));
  if (connector->IsBroken()) connector = Connect();
  EXPECT_THAT(Read(*connector, "many", {"i"}).rows, SizeIs(100));
}

TEST_P(ConnectorConformance, DoesNotQueryForACallerWhoGaveUp) {
  GivenManyRows();
  auto connector = Connect();
  const guard::Approved all =
      Approve(*connector, sql::SampleSelect(harness_->schema(), "many", {"i"}, 1));
  std::stop_source stop;
  stop.request_stop();
  CallContext ctx(clock_);
  ctx.stop = stop.get_token();
  EXPECT_THAT(connector->Query(all, {}, ctx), IsError(ErrorKind::Cancelled));
  EXPECT_THAT(connector->Query(all, {}, ctx_), IsOk());
}

TEST_P(ConnectorConformance, ReportsWhatTheEngineRefusesWithoutItsWords) {  // COVERS: R-REC-3
  Given("CREATE TABLE gone (x INTEGER)");
  auto connector = Connect();
  const guard::Approved approved =
      Approve(*connector, sql::SampleSelect(harness_->schema(), "gone", {"x"}, 1));
  Given("DROP TABLE gone");
  auto result = connector->Query(approved, {}, ctx_);
  // An engine that can tell says that the source has changed since.
  ASSERT_THAT(result,
              ::testing::AnyOf(IsError(ErrorKind::SqlRuntime), IsError(ErrorKind::SchemaDrift)));
  EXPECT_THAT(result.error().message(), ::testing::Not(::testing::HasSubstr("gone")));
  EXPECT_THAT(result.error().private_detail(), ::testing::HasSubstr("gone"));
  EXPECT_THAT(connector->Ping(ctx_), IsOk());
}

TEST_P(ConnectorConformance, ExplainsAStatementWithoutRunningIt) {
  GivenManyRows();
  auto connector = Connect();
  auto plan = connector->Explain(Approve(*connector, Endless()), ctx_);
  ASSERT_THAT(plan, IsOk());
  EXPECT_FALSE(plan->text.empty());
  EXPECT_EQ(plan->cost >= 0, connector->capabilities().explains_cost);
}

}  // namespace
}  // namespace schemaward::connect
