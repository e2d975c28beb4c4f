// Runs statements past the guard, in the read-only state in which approved ones run. For throwaway
// servers only.
//   guard_second_wall postgres|mysql LOCATION [SECRET] <FILE
// FILE has one JSON object a line, with `sql`. Prints one JSON object a line: `answered`, true
// where the engine ran it, and `why` where it did not. engine_unchanged.py --second-wall calls it.

#include <chrono>
#include <iostream>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "connect/mysql/mysql.h"
#include "connect/postgres/postgres.h"
#include "json/value.h"

namespace schemaward {
namespace {

using connect::Connector;

constexpr std::chrono::milliseconds kTimeMax{1'500};

Result<connect::QueryResult> RunPastTheGuard(Connector& session, const std::string& sql,
                                             CallContext& ctx) {
  const connect::QueryLimits limits{.rows_max = 10, .time_max = kTimeMax};
  if (auto* postgres = dynamic_cast<connect::postgres::PostgresConnector*>(&session))
    return postgres->RunInReadOnlyState(sql, limits, ctx);
  return dynamic_cast<connect::mysql::MySqlConnector&>(session).RunInReadOnlyState(sql, limits,
                                                                                   ctx);
}

int Main(const std::string& engine_name, const connect::Target& target) {
  const SystemClock clock;
  const auto engine =
      engine_name == "postgres" ? connect::postgres::MakeEngine() : connect::mysql::MakeEngine();
  std::unique_ptr<Connector> session;
  std::string line;
  while (std::getline(std::cin, line)) {
    CallContext ctx(clock);
    if (session == nullptr || session->IsBroken()) {
      auto opened = engine->Open(target, ctx);
      if (!opened) {
        fmt::print(stderr, "{}\n", opened.error().ToLogText());
        return 2;
      }
      session = *std::move(opened);
    }
    const auto read = json::Parse(line);
    if (!read) return 2;
    const auto result = RunPastTheGuard(*session, read->value()["sql"].get<std::string>(), ctx);
    const json::Value answer = {{"answered", result.has_value()},
                                {"why", result ? "" : result.error().ToLogText()}};
    fmt::print("{}\n", answer.dump());
  }
  return 0;
}

}  // namespace
}  // namespace schemaward

int main(int argc, char** argv) {
  try {
    if (argc >= 3) return schemaward::Main(argv[1], {argv[1], argv[2], argc > 3 ? argv[3] : ""});
    fmt::print(stderr, "usage: guard_second_wall postgres|mysql LOCATION [SECRET]\n");
    return 2;
  } catch (...) {
    return 2;
  }
}
