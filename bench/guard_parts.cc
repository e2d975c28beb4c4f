// What guard, audit and the read-only flight add to a point lookup: parts in one process, beside a
// prepared statement of libpq's.
//   guard_parts URI STORE [CALLS [PART]]     PART: only those whose names begin so, for a profiler.
//   URI: PostgreSQL with shop.accounts as bench/guard_latency.py makes it, which runs this
// The parts stand in turn, so that a machine that slows down slows all. Prints one JSON object:
// microseconds at p10 and p50, and processor time of a call of this process (all threads), for
// where others use the cores; what the server takes is not in it.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <postgresql/libpq-fe.h>

#include "app/application.h"
#include "app/policy.h"
#include "app/server.h"
#include "app/source_access.h"
#include "guard/guard.h"
#include "json/value.h"
#include "must.h"
#include "tools/sql_text.h"

namespace schemaward {
namespace {

constexpr const char* kLookup = "SELECT id, label, amount FROM shop.accounts WHERE id = 77";
constexpr int kWarmUps = 50;
constexpr int kCallsDefault = 2000;
constexpr int kCallsInARow = 50;

double MicrosSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin)
      .count();
}

/// One prepared statement of libpq's and nothing around it.
class Bare {
 public:
  explicit Bare(const char* uri) : connection_(PQconnectdb(uri), PQfinish) {
    if (PQstatus(connection_.get()) != CONNECTION_OK) Fail(PQerrorMessage(connection_.get()));
    PQclear(PQprepare(connection_.get(), "lookup", kLookup, 0, nullptr));
  }
  void Run() const {
    PGresult* result = PQexecPrepared(connection_.get(), "lookup", 0, nullptr, nullptr, nullptr, 0);
    if (PQntuples(result) != 1) Fail("the prepared lookup gave no row");
    PQclear(result);
  }

 private:
  std::unique_ptr<PGconn, void (*)(PGconn*)> connection_;
};

struct Part {
  std::string name;
  std::function<void()> work;
  std::vector<double> micros{};
  double processor_micros = 0;  ///< of a call, all threads of this process
};

void Measure(std::vector<Part>& parts, int calls) {
  for (int round = -kWarmUps; round < calls; ++round)
    for (Part& part : parts) {
      const auto begin = std::chrono::steady_clock::now();
      part.work();
      if (round >= 0) part.micros.push_back(MicrosSince(begin));
    }
}

double ProcessorMicros() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

// What other threads do for a part is done a moment later, so each has a number of calls in a row.
void MeasureProcessor(std::vector<Part>& parts, int calls) {
  const int rounds = std::max(calls / kCallsInARow, 1);
  for (int round = 0; round < rounds; ++round)
    for (Part& part : parts) {
      const double begin = ProcessorMicros();
      for (int i = 0; i < kCallsInARow; ++i) part.work();
      part.processor_micros += (ProcessorMicros() - begin) / (rounds * kCallsInARow);
    }
}

void Print(std::vector<Part>& parts) {
  json::Value out = json::Value::object();
  for (Part& part : parts) {
    std::sort(part.micros.begin(), part.micros.end());
    const std::size_t n = part.micros.size();
    out[part.name] = {{"p10_us", part.micros[n / 10]},
                      {"p50_us", part.micros[n / 2]},
                      {"processor_us", part.processor_micros}};
  }
  fmt::print("{}\n", out.dump(1));
}

int Main(const char* uri, const std::string& store_path, int calls, const std::string& only) {
  const auto nothing = [](const std::string&) { return std::optional<std::string>(); };
  app::Application application(Must(app::Config::Load({{"store", store_path}}, nothing, "/")));
  store::Store& store = *Must(application.Store(false));
  const store::Source source = Must(store.ListSources()).front();
  const auto server = Must(app::ToolServer::Create(application, {.sets = {"sql"}, .served = {}}));
  CallContext ctx = application.CommandContext();

  const privacy::Policy policy =
      Must(app::LoadPolicy(application.config(), privacy::Profile::Team));
  const guard::Guard guard(policy);
  tools::NoWatch watch;
  app::PooledAccess sources(application, policy);
  semantic::ModelCache models(store);
  const patterns::Library library(patterns::BuiltIn(), [&application]() -> const text::Lexicon& {
    return application.searcher().lexicon();
  });
  const tools::Services services{
      store,   watch, application.searcher(), application.clock(), sources, models, policy,
      library, {}};
  const Bare bare(uri);
  const auto approve = [&] {
    tools::IndexLookup lookup(services, source.id);
    return Must(guard.ApproveText({kLookup, {}}, sql::Postgres(), lookup, ctx.principal, nullptr));
  };
  const guard::Approved approved = approve();
  const auto log = Must(app::OpenAudit(application, "bench", policy));
  const json::Value lookup = {{"sql", kLookup}}, dry = {{"sql", kLookup}, {"dry_run", true}};
  const auto call = [&](const json::Value& args) {
    CallContext one = application.CommandContext();
    const auto answer = server->invoker().Invoke("execute_query", args, one);
    if (answer.is_error) Fail(answer.text);
  };
  std::vector<Part> parts;
  parts.push_back({"libpq, prepared", [&] { bare.Run(); }});
  parts.push_back({"the flight: begin, settings, statement, rollback", [&] {
                     CallContext one = application.CommandContext();
                     Must(sources.Query(source, approved, {}, one));
                   }});
  parts.push_back({"guard: approve", [&] { approve(); }});
  parts.push_back({"audit begin and end", [&] {
                     audit::BeginRecord begin;
                     begin.tool = "execute_query";
                     begin.args_json = lookup.dump();
                     const auto id = Must(log->Begin(begin, audit::Durability::Now));
                     audit::EndRecord end;
                     end.begin = id;
                     if (!log->End(end)) Fail("not recorded");
                   }});
  parts.push_back({"execute_query, dry_run", [&] { call(dry); }});
  parts.push_back({"execute_query", [&] { call(lookup); }});
  std::erase_if(parts, [&](const Part& part) { return !part.name.starts_with(only); });
  Measure(parts, calls);
  MeasureProcessor(parts, calls);
  Print(parts);
  return 0;
}

}  // namespace
}  // namespace schemaward

int main(int argc, char** argv) {
  try {
    if (argc < 3) schemaward::Fail("usage: guard_parts URI STORE [CALLS [PART]]");
    return schemaward::Main(argv[1], argv[2],
                            argc > 3 ? std::atoi(argv[3]) : schemaward::kCallsDefault,
                            argc > 4 ? argv[4] : "");
  } catch (...) {
    return 2;
  }
}
