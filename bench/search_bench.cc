// Search on stores of different size, side by side: time to index, size of the file, time per
// search. usage: search_bench [TABLES...]   (default 2000 100000; with --benchmark_* flags a short
// run) The tables are made up: ten schemas, two nouns and a suffix a name, 5 to 25 columns of a
// noun and an attribute, up to three foreign keys.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>
#include <sys/stat.h>
#include <time.h>

#include "catalog/catalog.h"
#include "index/documents.h"
#include "retrieve/search.h"
#include "store/index_writer.h"
#include "store/sources.h"
#include "store/store.h"
#include "store/testing.h"

namespace schemaward {
namespace {

constexpr std::string_view kNouns[] = {
    "customer", "order",        "invoice",     "payment",  "product", "shipment",     "account",
    "ledger",   "ticket",       "campaign",    "session",  "event",   "subscription", "refund",
    "vendor",   "employee",     "department",  "contract", "asset",   "device",       "region",
    "store",    "inventory",    "price",       "discount", "coupon",  "review",       "rating",
    "message",  "notification", "audit",       "log",      "token",   "address",      "contact",
    "lead",     "opportunity",  "quote",       "forecast", "budget",  "expense",      "project",
    "task",     "sprint",       "release",     "incident", "alert",   "metric",       "sensor",
    "reading",  "claim",        "policy",      "premium",  "patient", "visit",        "lab",
    "result",   "drug",         "prescription"};
constexpr std::string_view kSuffixes[] = {"fact",    "dim",    "hist",    "stg",      "raw",
                                          "agg",     "daily",  "monthly", "snapshot", "map",
                                          "link",    "bridge", "detail",  "header",   "line",
                                          "summary", "config", "archive", "v2",       "tmp"};
constexpr std::string_view kAttributes[] = {"id",   "code", "name", "amount", "status",
                                            "type", "at",   "flag", "qty",    "rate"};
constexpr std::string_view kTypes[] = {"integer",       "bigint",     "text",    "varchar(64)",
                                       "numeric(18,4)", "date",       "boolean", "jsonb",
                                       "uuid",          "timestamptz"};
constexpr std::string_view kQueries[] = {
    "orders",
    "customer payments",
    "which table has refunds",
    "invoice line detail",
    "How many subscriptions were cancelled per region last month?",
    "usr addr",
    "drug prescription of a patient",
    "average rating of each product",
    "custmer adress",
    "sensor readings above the alert metric",
    "employees and their departments",
    "claims by policy",
};
constexpr int kRounds = 9;

class MadeUp {
 public:
  catalog::Table Next() {
    catalog::Table table;
    table.schema = "s" + std::to_string(names_.size() % 10);
    std::string name = fmt::format("{}_{}_{}", Pick(kNouns), Pick(kNouns), Pick(kSuffixes));
    if (!seen_.insert(name).second) name += "_" + std::to_string(names_.size());
    table.name = name;
    AddColumn(table, "id", "bigint");
    table.primary_key = catalog::Key{"pk", {"id"}};
    const auto columns = 5 + random_() % 21;
    for (std::uint64_t c = 0; c < columns; ++c) {
      AddColumn(table, fmt::format("{}_{}_{}", Pick(kNouns), Pick(kAttributes), c), Pick(kTypes));
    }
    for (std::uint64_t k = 0; !names_.empty() && k < random_() % 4; ++k) {
      const auto target = random_() % names_.size();
      const std::string column = "fk" + std::to_string(k) + "_id";
      AddColumn(table, column, "bigint");
      table.foreign_keys.push_back(
          {column, {column}, "s" + std::to_string(target % 10), names_[target], {"id"}, "", ""});
    }
    if (names_.size() % 3 == 0) table.comment = "Holds " + name + " records";
    names_.push_back(name);
    return table;
  }

 private:
  template <std::size_t N>
  std::string_view Pick(const std::string_view (&words)[N]) {
    return words[random_() % N];
  }
  static void AddColumn(catalog::Table& table, std::string_view name, std::string_view type) {
    auto& column = table.columns.emplace_back();
    column.name = name;
    column.type = type;
  }
  std::mt19937_64 random_{7};
  std::vector<std::string> names_;
  std::set<std::string> seen_;
};

double Seconds(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double Quantile(std::vector<double> values, double at) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(at * static_cast<double>(values.size() - 1))];
}

double ResidentMib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) return std::atof(line.c_str() + 6) / 1024;
  }
  return 0;
}

/// Time this thread was on a processor: what a search costs on a machine that others use as well.
double CpuMs() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

struct Figures {
  double index_s = 0, document_s = 0, file_mib = 0, p50_ms = 0, p95_ms = 0, worst_query_ms = 0;
  double first_ms = 0, nearest_ms = 0, reput_ms = 0, cpu_p50_ms = 0;
};

Status Fill(store::Store& store, const retrieve::Searcher& searcher, std::int64_t tables,
            Figures& figures) {
  WARD_TRY(const auto source,
           PutSource(store, {.name = "bench", .engine = "sqlite", .location = "/nowhere"}));
  WARD_TRY(auto writer, store::IndexWriter::Begin(store, source.id));
  const index::DocumentMaker maker(searcher.lexicon());
  MadeUp made_up;
  for (std::int64_t i = 0; i < tables; ++i) {
    const auto table = made_up.Next();
    WARD_TRY(const auto id, writer->Add(table, store::HashOf(table)));
    const auto begin = std::chrono::steady_clock::now();
    const auto document = maker.Make(source.id, table);
    figures.document_s += Seconds(begin);
    WARD_CHECK(writer->PutSearch(id, document));
  }
  WARD_TRY(const auto generation, writer->Commit({.indexed_at_us = 1}));
  (void)generation;
  return Ok();
}

/// One table written again, with a column more.
Status PutAgain(store::Store& store, const retrieve::Searcher& searcher, Figures& figures) {
  WARD_TRY(const auto source, store.FindSource("bench"));
  WARD_TRY(const auto table, store.GetTable(1));
  auto changed = *table;
  changed.columns.emplace_back().name = "brand_new_column";
  const auto begin = std::chrono::steady_clock::now();
  WARD_TRY(auto writer, store::IndexWriter::Begin(store, source->id));
  WARD_CHECK(writer->Replace(1, changed, store::HashOf(changed)));
  WARD_CHECK(
      writer->PutSearch(1, index::DocumentMaker(searcher.lexicon()).Make(source->id, changed)));
  WARD_TRY(const auto generation, writer->Commit({.indexed_at_us = 2}));
  (void)generation;
  figures.reput_ms = Seconds(begin) * 1000;
  return Ok();
}

Status Ask(store::Store& store, const retrieve::Searcher& searcher, Figures& figures) {
  std::vector<double> all, cpu;
  for (const auto query : kQueries) {
    std::vector<double> times;
    for (int round = 0; round < kRounds; ++round) {
      const auto begin = std::chrono::steady_clock::now();
      const double cpu_begin = CpuMs();
      WARD_TRY(const auto answer,
               searcher.Search(store, {.query = std::string(query), .sources = {}}));
      (void)answer;
      times.push_back(Seconds(begin) * 1000);
      cpu.push_back(CpuMs() - cpu_begin);
      if (all.empty() && times.size() == 1) figures.first_ms = times[0];
    }
    all.insert(all.end(), times.begin(), times.end());
    const double median = Quantile(times, 0.5);
    figures.worst_query_ms = std::max(figures.worst_query_ms, median);
    if (std::getenv("BENCH_QUERIES") != nullptr) {  // NOLINT(concurrency-mt-unsafe)
      fmt::print("  {:7.3f} ms  {}\n", median, query);
    }
  }
  figures.p50_ms = Quantile(all, 0.5);
  figures.cpu_p50_ms = Quantile(cpu, 0.5);
  figures.p95_ms = Quantile(all, 0.95);
  const auto begin = std::chrono::steady_clock::now();
  WARD_TRY(const auto near, retrieve::NearestTables(store, {}, "s3.custmer_order_hist", 3));
  (void)near;
  figures.nearest_ms = Seconds(begin) * 1000;
  return Ok();
}

std::string Number(double value) { return fmt::format("{:.2f}", value); }

void Row(const std::vector<std::string>& cells) {
  for (const auto& cell : cells) fmt::print("{:>10}", cell);
  fmt::print("\n");
}

Status Run(std::int64_t tables) {
  const store::TempFolder folder;
  const std::string path = folder.File("bench.db");
  const retrieve::Searcher searcher;
  Figures figures;
  {
    WARD_TRY(auto store, store::Store::Open(path, {.create = true}));
    const auto begin = std::chrono::steady_clock::now();
    WARD_CHECK(Fill(*store, searcher, tables, figures));
    figures.index_s = Seconds(begin);
  }
  struct stat file {};
  if (::stat(path.c_str(), &file) == 0)
    figures.file_mib = static_cast<double>(file.st_size) / 1048576;
  WARD_TRY(auto store, store::Store::Open(path, {}));
  WARD_CHECK(Ask(*store, searcher, figures));
  const double resident = ResidentMib();
  WARD_CHECK(PutAgain(*store, searcher, figures));
  Row({std::to_string(tables), Number(figures.index_s), Number(figures.document_s),
       Number(figures.file_mib), Number(figures.first_ms), Number(figures.p50_ms),
       Number(figures.cpu_p50_ms), Number(figures.p95_ms), Number(figures.worst_query_ms),
       Number(figures.nearest_ms), Number(figures.reput_ms), Number(resident)});
  return Ok();
}

int Main(int argc, char** argv) {
  std::vector<std::int64_t> sizes;
  bool smoke = false;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]).starts_with("--")) {
      smoke = true;
    } else {
      sizes.push_back(std::atoll(argv[i]));
    }
  }
  if (sizes.empty())
    sizes = smoke ? std::vector<std::int64_t>{100, 400} : std::vector<std::int64_t>{2'000, 100'000};
  Row({"tables", "index s", "words s", "file MiB", "first ms", "p50 ms", "p50 cpu ms", "p95 ms",
       "worst ms", "near ms", "1 put ms", "RSS MiB"});
  for (const auto size : sizes) {
    if (const auto status = Run(size); !status) {
      fmt::print(stderr, "{}\n", status.error().ToLogText());
      return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace schemaward

int main(int argc, char** argv) { return schemaward::Main(argc, argv); }
