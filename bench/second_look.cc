// What SQLite's second look at a statement costs: what SQLite itself finds that it reads, compared
// with what the guard found, by the authorizer and by the columns of its program.
//   second_look [CALLS]
// Makes a file of 100,000 rows in a temporary folder. With and without stand in turn, so that a
// machine that slows down slows both. Prints a table: microseconds of processor time of a call
// (open, prepare, rows, close), its medians, and their ratio.

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/call_context.h"
#include "base/clock.h"
#include "base/temp_folder.h"
#include "connect/sqlite/session.h"
#include "guard/guard.h"
#include "guard/table_lookup.h"
#include "must.h"
#include "sqlite/sqlite.h"

namespace schemaward {
namespace {

using connect::sqlite_engine::Mode;
using connect::sqlite_engine::Session;

constexpr int kCallsDefault = 2000;
constexpr std::chrono::milliseconds kTimeMax{60'000};

double ProcessorMicros() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

/// A file in a folder of its own.
class Sample {
 public:
  Sample() {
    auto database = Must(sqlite::Database::Open(path(), {.create = true}));
    Must(database.Execute(
        "CREATE TABLE accounts (id INTEGER PRIMARY KEY, region TEXT, label TEXT, amount REAL);"
        "CREATE TABLE regions (region TEXT PRIMARY KEY, name TEXT);"
        "CREATE VIEW totals AS SELECT region, sum(amount) AS total FROM accounts GROUP BY region;"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) "
        "INSERT INTO accounts SELECT i, 'r' || (i % 20), 'account ' || i, i % 977 FROM n;"
        "INSERT INTO regions SELECT DISTINCT region, 'region ' || region FROM accounts"));
  }
  std::string path() const { return folder_.File("sample.db"); }

 private:
  const TempFolder folder_;
};

catalog::Table TableOf(const std::string& name, const std::vector<std::string>& columns) {
  catalog::Table table;
  table.schema = "main";
  table.name = name;
  for (const std::string& column : columns) table.columns.emplace_back().name = column;
  return table;
}

/// Runs the statement once; returns its processor time.
double RunOnce(const std::string& path, const guard::Approved& approved, bool looks_again) {
  const SystemClock clock;
  CallContext ctx(clock);
  const double begin = ProcessorMicros();
  {
    Session session = Must(Session::Open(path, Mode::Query, kTimeMax, ctx));
    // Without the look the authorizer still says which kinds of action are let through.
    if (looks_again) Must(session.Expect(approved.reads(), approved.inside()));
    sqlite::Statement statement = Must(session.Prepare(approved.text()));
    if (looks_again) Must(session.CheckProgram(approved.text()));
    while (Must(session.Step(statement))) {
    }
  }
  return ProcessorMicros() - begin;
}

double Median(std::vector<double>& values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

int Main(int calls) {
  const Sample sample;
  std::vector<catalog::Table> tables = {TableOf("accounts", {"id", "region", "label", "amount"}),
                                        TableOf("regions", {"region", "name"}),
                                        TableOf("totals", {"region", "total"})};
  tables.back().kind = catalog::TableKind::View;
  tables.back().definition = "SELECT region, sum(amount) AS total FROM accounts GROUP BY region";
  guard::TableList lookup(tables);
  const privacy::PolicyData built_in;
  const guard::Guard guard{privacy::Policy(built_in)};
  const struct {
    const char* name;
    const char* sql;
    int share;  ///< of the calls, where one takes long
  } cases[] = {
      {"one row by its key", "SELECT id, label, amount FROM accounts WHERE id = 77", 1},
      {"20 rows and a join",
       "SELECT a.id, r.name FROM accounts a JOIN regions r ON r.region = a.region WHERE a.id <= 20",
       1},
      {"a view that groups every row", "SELECT region, total FROM totals", 40}};
  fmt::print("| statement | without, us | with, us | with / without |\n|---|---|---|---|\n");
  for (const auto& one : cases) {
    const guard::Approved approved =
        Must(guard.ApproveText({one.sql, {}}, sql::Sqlite(), lookup, {}, nullptr));
    std::vector<double> without, with;
    for (int i = 0; i < std::max(calls / one.share, 5); ++i) {
      without.push_back(RunOnce(sample.path(), approved, false));
      with.push_back(RunOnce(sample.path(), approved, true));
    }
    const double base = Median(without), all = Median(with);
    fmt::print("| {} | {:.0f} | {:.0f} | {:.2f} |\n", one.name, base, all, all / base);
  }
  return 0;
}

}  // namespace
}  // namespace schemaward

int main(int argc, char** argv) {
  try {
    return schemaward::Main(argc > 1 ? std::atoi(argv[1]) : schemaward::kCallsDefault);
  } catch (...) {
    return 2;
  }
}
