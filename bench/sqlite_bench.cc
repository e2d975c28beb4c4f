// What a query of an SQLite file costs beside the number of its tables: on a handle that an earlier
// query left, and where the file is opened anew.
//   sqlite_bench [TABLES...]  (default 30 400 4000; with --benchmark_* flags a short run)
// Makes each file in a temporary folder: tables of ten columns, one row in each. The two ways stand
// in turn, so that a machine that slows down slows both. Prints a table: medians, in milliseconds
// and, of this process alone, in milliseconds of processor time.

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/call_context.h"
#include "base/clock.h"
#include "base/temp_folder.h"
#include "connect/sqlite/file_connector.h"
#include "guard/guard.h"
#include "must.h"
#include "sql/samples.h"
#include "sqlite/sqlite.h"

namespace schemaward {
namespace {

using connect::sqlite_engine::FileConnector;
using connect::sqlite_engine::KeptHandles;

constexpr int kCalls = 200;
constexpr int kShortCalls = 3;

/// The file counts as settled at once.
class TomorrowsClock final : public Clock {
 public:
  std::chrono::steady_clock::time_point Now() const override { return real_.Now(); }
  std::int64_t UnixMicros() const override {
    constexpr std::int64_t kDay = 86'400'000'000;
    return real_.UnixMicros() + kDay;
  }

 private:
  SystemClock real_;
};

/// A file in a folder of its own.
class Sample {
 public:
  explicit Sample(std::size_t tables) {
    auto database = Must(sqlite::Database::Open(path(), {.create = true}));
    std::string sql = "BEGIN;";
    for (std::size_t i = 0; i < tables; ++i)
      sql += fmt::format(
          "CREATE TABLE t{0} (id INTEGER PRIMARY KEY, name TEXT, kind TEXT, state TEXT, amount "
          "REAL, made TEXT, changed TEXT, owner_id INTEGER, parent_id INTEGER, note TEXT);"
          "INSERT INTO t{0} (name) VALUES ('one');",
          i);
    Must(database.Execute(sql + "COMMIT"));
  }
  std::string path() const { return folder_.File("sample.db"); }

 private:
  const TempFolder folder_;
};

double Ms(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// Times of calls made one way.
struct Times {
  std::vector<double> wall, processor;

  template <class Work>
  void Add(Work work) {
    const double wall_before = Ms(CLOCK_MONOTONIC), before = Ms(CLOCK_PROCESS_CPUTIME_ID);
    work();
    wall.push_back(Ms(CLOCK_MONOTONIC) - wall_before);
    processor.push_back(Ms(CLOCK_PROCESS_CPUTIME_ID) - before);
  }
};

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void Measure(std::size_t tables, int calls) {
  const Sample sample(tables);
  const TomorrowsClock clock;
  CallContext ctx(clock);
  const auto kept = std::make_shared<KeptHandles>();
  FileConnector connector(sample.path(), kept);
  const catalog::Database database = Must(connector.Introspect({}, ctx));
  const guard::Approved approved = Must(guard::Guard(privacy::Policy())
                                            .ApproveTree(sql::SampleSelect("main", "t7", {"id"}, 1),
                                                         sql::Sqlite(), database.tables, {}));
  const auto query = [&] { Must(connector.Query(approved, {}, ctx)); };
  query();
  Times anew, again;
  for (int i = 0; i < calls; ++i) {
    again.Add(query);
    kept->CloseAll();
    anew.Add(query);
  }
  fmt::print("| {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} |\n", tables, Median(anew.wall),
             Median(again.wall), Median(anew.processor), Median(again.processor));
}

}  // namespace
}  // namespace schemaward

int main(int argc, char** argv) {
  try {
    std::vector<std::size_t> sizes;
    int calls = schemaward::kCalls;
    for (int i = 1; i < argc; ++i) {
      if (std::string_view(argv[i]).starts_with("--"))
        calls = schemaward::kShortCalls;
      else
        sizes.push_back(std::strtoull(argv[i], nullptr, 10));
    }
    if (sizes.empty()) sizes = {30, 400, 4'000};
    fmt::print(
        "| tables | opened anew, ms | kept, ms | opened anew, processor ms | kept, processor ms "
        "|\n|---|---|---|---|---|\n");
    for (const std::size_t tables : sizes) schemaward::Measure(tables, calls);
    return 0;
  } catch (...) {
    return 2;
  }
}
