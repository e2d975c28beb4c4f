// Times the store's side of indexing and of reading, without a database behind it:
//   index_bench [tables]     prints one JSON object
// The tables are made up: words of business, 8 to 24 columns, a key to an earlier table.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <fstream>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "connect/connector.h"
#include "index/run.h"
#include "store/testing.h"

namespace schemaward::index {
namespace {

using Micros = std::chrono::duration<double, std::micro>;

constexpr int kTablesDefault = 2'000;
constexpr int kReads = 5'000;
constexpr std::size_t kTablesOfASchema = 250;

constexpr std::string_view kWords[] = {
    "order",   "customer", "invoice", "payment", "shipment", "product", "price",   "account",
    "ledger",  "employee", "salary",  "branch",  "contract", "vendor",  "stock",   "return",
    "voucher", "campaign", "lead",    "ticket",  "session",  "event",   "device",  "region",
    "country", "city",     "address", "phone",   "claim",    "policy",  "premium", "booking"};

std::string Word(std::size_t i) { return std::string(kWords[i % std::size(kWords)]); }

catalog::Table MakeUp(std::size_t i) {
  catalog::Table table;
  table.schema = fmt::format("schema_{:04}", i / kTablesOfASchema);
  table.name = fmt::format("{}_{}_{:06}", Word(i), Word(i / 7 + 3), i);
  table.comment = fmt::format("One {} for each {}.", Word(i), Word(i / 7 + 3));
  table.row_estimate = static_cast<std::int64_t>(i) * 31;
  const std::size_t columns = 8 + i % 17;
  for (std::size_t c = 0; c < columns; ++c) {
    auto& column = table.columns.emplace_back();
    column.name = c == 0 ? "id" : fmt::format("{}_{}", Word(i + c * 5), Word(c * 11 + 1));
    column.type = c % 3 == 0 ? "bigint" : "character varying(80)";
    column.nullable = c != 0;
    if (c % 5 == 4) column.comment = fmt::format("the {} it had then", Word(c));
    column.statistic = catalog::Statistic{0.1, 100};
  }
  table.primary_key = catalog::Key{table.name + "_pkey", {"id"}};
  if (i % kTablesOfASchema > 0) {
    const std::size_t target = i - 1 - (i * 7) % (i % kTablesOfASchema);
    table.foreign_keys.push_back(
        {fmt::format("fk_{}", i),
         {table.columns[1].name},
         table.schema,
         fmt::format("{}_{}_{:06}", Word(target), Word(target / 7 + 3), target),
         {"id"},
         "",
         ""});
  }
  return table;
}

/// Makes its catalog up again whenever it is asked, so that only the run holds it.
class MadeUp final : public connect::Connector {
 public:
  explicit MadeUp(std::size_t count) : count_(count) {}
  std::size_t changed = SIZE_MAX;  ///< position of a table with another comment

  const connect::Capabilities& capabilities() const override { return capabilities_; }
  const sql::Dialect& dialect() const override { return sql::Sqlite(); }
  Result<catalog::Database> Introspect(const connect::Scope& /*scope*/,
                                       CallContext& /*ctx*/) override {
    catalog::Database database;
    database.tables.reserve(count_);
    for (std::size_t i = 0; i < count_; ++i) database.tables.push_back(MakeUp(i));
    if (changed < count_) database.tables[changed].comment = "changed";
    std::sort(database.tables.begin(), database.tables.end(), [](const auto& a, const auto& b) {
      return std::tie(a.schema, a.name) < std::tie(b.schema, b.name);
    });
    return database;
  }
  Result<std::string> Fingerprint(CallContext& /*ctx*/) override { return std::string(); }
  Result<connect::QueryResult> Query(const guard::Approved& /*approved*/,
                                     const connect::QueryLimits& /*limits*/,
                                     CallContext& /*ctx*/) override {
    return connect::QueryResult{};
  }
  Result<connect::PlanEstimate> Explain(const guard::Approved& /*approved*/,
                                        CallContext& /*ctx*/) override {
    return connect::PlanEstimate{};
  }
  Status Ping(CallContext& /*ctx*/) override { return Ok(); }
  bool IsBroken() const override { return false; }

 private:
  std::size_t count_;
  connect::Capabilities capabilities_;
};

std::int64_t ResidentKib(const std::string& field) {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line))
    if (line.starts_with(field)) return std::atoll(line.c_str() + field.size() + 1);
  return 0;
}

struct Percentiles {
  double p50 = 0, p99 = 0;
};

template <class Call>
Percentiles Measure(Call call) {
  std::vector<double> times;
  for (int i = 0; i < kReads; ++i) {
    const auto before = std::chrono::steady_clock::now();
    call(static_cast<std::size_t>(i) * 7'919);
    times.push_back(Micros(std::chrono::steady_clock::now() - before).count());
  }
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times[times.size() * 99 / 100]};
}

Status Bench(std::size_t count) {
  const store::TempFolder folder;
  WARD_TRY(const auto store, store::Store::Open(folder.File("store.db"), {.create = true}));
  WARD_TRY(const auto source,
           store::PutSource(*store, {.name = "made_up", .engine = "sqlite", .location = "/x"}));
  const SystemClock clock;
  CallContext ctx(clock);
  MadeUp connector(count);
  const std::int64_t before_kib = ResidentKib("VmRSS:");
  (void)*connector.Introspect({}, ctx);
  const std::int64_t catalog_kib = ResidentKib("VmHWM:") - before_kib;
  const std::clock_t cpu_from = std::clock();
  WARD_TRY(const auto first, Run(connector, *store, source, {}, ctx));
  const auto cpu_ms = static_cast<std::int64_t>(std::clock() - cpu_from) * 1'000 / CLOCKS_PER_SEC;
  const std::int64_t peak_kib = ResidentKib("VmHWM:") - before_kib;
  WARD_TRY(const auto again, Run(connector, *store, source, {}, ctx));
  connector.changed = count / 2;
  WARD_TRY(const auto one, Run(connector, *store, source, {}, ctx));

  WARD_TRY(const auto entries, store->ListTables({}, std::nullopt, count));
  const auto get = Measure([&](std::size_t i) { (void)store->GetTable(entries[i % count].id); });
  const auto find = Measure(
      [&](std::size_t i) { (void)store->FindTables({}, std::nullopt, entries[i % count].name); });
  const auto edges = Measure([&](std::size_t i) { (void)store->EdgesOf(entries[i % count].id); });
  const auto visit_from = std::chrono::steady_clock::now();
  std::size_t visited = 0;
  WARD_CHECK(store->VisitTables({}, [&](const store::TableEntry&) { return ++visited > 0; }));
  const double visit_ms = Micros(std::chrono::steady_clock::now() - visit_from).count() / 1'000;

  fmt::print(
      "{{\"tables\":{},\"columns\":{},\"first_write_ms\":{},\"first_cpu_ms\":{},\"again_write_ms\":"
      "{},"
      "\"one_changed_write_ms\":{},\"get_table_us\":[{:.1f},{:.1f}],\"find_tables_us\":[{:.1f},"
      "{:.1f}],\"edges_us\":[{:.1f},{:.1f}],\"visit_all_ms\":{:.1f},\"catalog_kib\":{},"
      "\"peak_kib\":{},\"store_bytes\":{}}}\n",
      count, first.columns, first.write_ms, cpu_ms, again.write_ms, one.write_ms, get.p50, get.p99,
      find.p50, find.p99, edges.p50, edges.p99, visit_ms, catalog_kib, peak_kib,
      std::filesystem::file_size(store->path()));
  return Ok();
}

}  // namespace
}  // namespace schemaward::index

int main(int argc, char** argv) try {
  const long count = argc > 1 ? std::atol(argv[1]) : schemaward::index::kTablesDefault;
  if (count < 1) return 2;
  const auto done = schemaward::index::Bench(static_cast<std::size_t>(count));
  if (done) return 0;
  fmt::print(stderr, "{}\n", done.error().ToLogText());
  return 2;
} catch (const std::exception& e) {  // there is no folder to work in
  std::fprintf(stderr, "%s\n", e.what());
  return 2;
}
