// How long reading a catalog takes. For bench/postgres_introspect.sh, which compares it with psql.
//   connect_postgres_bench URI TIMES    prints the least milliseconds of connecting, Introspect and
//   Fingerprint connect_postgres_bench --queries VERSION    prints the catalog queries as psql
//   takes them
// Without a URI there is nothing to measure, and it says so.

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "connect/postgres/catalog_queries.h"
#include "connect/postgres/postgres.h"

namespace schemaward::connect::postgres {
namespace {

constexpr int kTimesMax = 1000;

int ToInt(std::string_view text) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

int PrintQueries(int version) {
  const CatalogQueries queries = QueriesFor(version);
  std::string text = "SET search_path = pg_catalog, pg_temp;\nSET jit = off;\n";
  for (std::string query : {queries.fingerprint, queries.relations, queries.columns, queries.types,
                            queries.constraints, queries.indexes, queries.statistics}) {
    for (std::size_t at; (at = query.find("$1")) != std::string::npos;)
      query.replace(at, 2, "NULL");
    text += query + ";\n";
  }
  std::fputs(text.c_str(), stdout);
  return 0;
}

class Stopwatch {
 public:
  double Milliseconds() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin_)
        .count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

Status Measure(const std::string& uri, int times) {
  const SystemClock clock;
  CallContext ctx(clock);
  const std::unique_ptr<Engine> engine = MakeEngine();
  std::vector<double> open, introspect, fingerprint;
  for (int i = 0; i < std::clamp(times, 1, kTimesMax); ++i) {
    const Stopwatch opening;
    WARD_TRY(const auto connector, engine->Open({"postgres", uri, ""}, ctx));
    open.push_back(opening.Milliseconds());
    const Stopwatch introspecting;
    WARD_TRY(const catalog::Database database, connector->Introspect({}, ctx));
    introspect.push_back(introspecting.Milliseconds());
    const Stopwatch fingerprinting;
    WARD_CHECK(connector->Fingerprint(ctx));
    fingerprint.push_back(fingerprinting.Milliseconds());
  }
  const auto least = [](const std::vector<double>& all) {
    return *std::min_element(all.begin(), all.end());
  };
  fmt::print("{{\"connect_ms\":{:.1f},\"introspect_ms\":{:.1f},\"fingerprint_ms\":{:.1f}}}\n",
             least(open), least(introspect), least(fingerprint));
  return Ok();
}

int Main(const std::vector<std::string>& arguments) {
  if (arguments.size() == 2 && arguments[0] == "--queries")
    return PrintQueries(ToInt(arguments[1]));
  if (arguments.size() != 2) {
    std::fputs(
        "connect_postgres_bench: needs a URI and a number of times; see "
        "bench/postgres_introspect.sh\n",
        stderr);
    return 0;
  }
  const Status done = Measure(arguments[0], ToInt(arguments[1]));
  if (!done) fmt::print(stderr, "{}\n", done.error().ToLogText());
  return done ? 0 : 1;
}

}  // namespace
}  // namespace schemaward::connect::postgres

int main(int argc, char** argv) {
  return schemaward::connect::postgres::Main(std::vector<std::string>(argv + 1, argv + argc));
}
