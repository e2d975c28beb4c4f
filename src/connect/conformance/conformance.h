#pragma once

// The suite that every engine passes. For tests only.
//
// To plug an engine in, write its Harness (a few dozen lines: how to make an empty database, how to
// run its owner's SQL) beside the engine, and instantiate the suite in its test:
//
//   INSTANTIATE_TEST_SUITE_P(Postgres15, ConnectorConformance,
//   ::testing::Values(HarnessMaker{"postgres15", &MakeHarness15}), NameOfHarness);
//
// and in CMake: ward_module(connect_x ... TEST_DEPS connect_conformance). The fixture is SQL that
// PostgreSQL and SQLite take alike; Execute may translate it for others. What an engine has alone
// (comments, domains, partitions) is tested beside it.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "connect/connector.h"
#include "sql/statement.h"

namespace schemaward::connect {

/// A column of the value table and the cell that it must arrive as.
struct ValueCase {
  std::string column;
  Cell expected;
};

/// `sql` makes a table `value_cases` of one row. The suite asks for the columns big_int
/// (9007199254740993), small_int (42), decimal_text (an exact decimal as Decimal, where the engine
/// has decimals), bytes (a Blob with a zero byte), text_utf8, no_value (null), not_a_number,
/// infinite, naive_time and zoned_time; those that the engine does not have are left out of
/// `cases`.
struct ValueFixture {
  std::string sql;
  std::vector<ValueCase> cases;
};

/// An engine as the suite drives it. Every call is made from one thread, QueriesRunning from any.
class Harness {
 public:
  virtual ~Harness() = default;
  virtual Engine& engine() = 0;
  /// What Open takes to reach the database.
  virtual Target target() const = 0;
  /// A target that nothing answers at, made so that Open fails at once.
  virtual Target UnreachableTarget() const = 0;
  /// Makes the database empty: no tables, no schemas of ours.
  virtual Status Reset() = 0;
  /// Runs statements as the owner, in a session of its own that may write.
  virtual Status Execute(std::string_view sql) = 0;
  /// The schema in which unqualified names land: public, main.
  virtual std::string schema() const = 0;
  virtual ValueFixture values() const = 0;
  /// Refreshes the engine's own statistics, so that row estimates are there.
  virtual Status Analyze() = 0;
  /// Runs `sql` in the very session of `connector`, past its interface, in the state in which it
  /// runs queries.
  virtual Status AttemptInSession(Connector& connector, std::string_view sql) = 0;
  /// Statements that `connector` has sent since it was opened; nothing where the engine cannot
  /// count.
  virtual std::optional<std::int64_t> StatementsSent(Connector& connector) = 0;
  /// Queries of connectors that the engine still works on.
  virtual Result<std::int64_t> QueriesRunning() = 0;
  /// Ends the sessions of all connectors as a restart of the server would; false where there is no
  /// server.
  virtual bool EndSessions() = 0;
  /// A text that differs when the stored data does (bytes of the file); empty where that cannot be
  /// told.
  virtual std::string StoredState() = 0;
  /// False where an index cannot have a condition; the harness then leaves such indexes out.
  virtual bool HasPartialIndexes() const { return true; }
  /// False where a foreign key cannot say ON UPDATE SET NULL, ON DELETE CASCADE.
  virtual bool HasReferentialActions() const { return true; }
};

/// `make` returns null where the engine is not on this machine; its tests are then skipped.
struct HarnessMaker {
  const char* name;
  std::unique_ptr<Harness> (*make)();
};

/// Makes an empty database per test.
class ConnectorConformance : public ::testing::TestWithParam<HarnessMaker> {
 protected:
  void SetUp() override;
  void TearDown() override;

  /// Runs owner's SQL; a failure ends the test.
  void Given(std::string_view sql);
  /// Opens a session; a failure ends the test.
  std::unique_ptr<Connector> Connect();
  /// Introspects all; a failure ends the test.
  catalog::Database Catalog(Connector& connector);
  /// Returns the table, which must be there.
  const catalog::Table& TableOf(const catalog::Database& database, std::string_view name);
  /// Approves `select` against what the engine says of itself.
  guard::Approved Approve(Connector& connector, const sql::Select& select);
  /// Returns the rows of SELECT columns FROM table LIMIT 1000.
  QueryResult Read(Connector& connector, const std::string& table,
                   const std::vector<std::string>& columns);
  /// Returns a statement that runs for hours unless it is stopped. Needs the table of
  /// GivenManyRows.
  sql::Select Endless() const;
  /// Makes table many(i) with the rows 1 to 2000.
  void GivenManyRows();

  SystemClock clock_;
  CallContext ctx_{clock_};
  std::unique_ptr<Harness> harness_;
};

/// Returns a cell as text, its kind first: int:42, text:x, decimal:1.50, blob:00ff, null.
std::string Describe(const Cell& cell);

/// Gives each test the name of its harness: the last argument of INSTANTIATE_TEST_SUITE_P.
std::string NameOfHarness(const ::testing::TestParamInfo<HarnessMaker>& info);

/// Prints the name, for GoogleTest.
void PrintTo(const HarnessMaker& maker, std::ostream* out);

}  // namespace schemaward::connect
