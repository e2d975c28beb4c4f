#include "connect/mysql/flavour.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace schemaward::connect::mysql {
namespace {

constexpr int kMySqlLeast = 80000, kMariaDbLeast = 100600;

// Double quotes quote texts, a backslash escapes, || means "or", and the difference of two
// unsigned numbers may be negative.
constexpr std::string_view kModes =
    "STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,NO_UNSIGNED_SUBTRACTION,"
    "ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION";

// div_precision_increment: 4 digits behind the point are all that a division or an average gains by
// default. lock_wait_timeout is in seconds, of metadata locks too. sql_select_limit and
// group_concat_max_len would cut answers without a word.
constexpr std::string_view kShared =
    "SET NAMES utf8mb4, @@session.sql_mode = '{modes}', @@session.time_zone = '+00:00', "
    "@@session.autocommit = 1, @@session.div_precision_increment = 16, "
    "@@session.lock_wait_timeout = 5, @@session.sql_select_limit = 18446744073709551615, "
    "@@session.group_concat_max_len = 16777216";
constexpr std::string_view kMariaDb =
    ", @@session.tx_isolation = 'REPEATABLE-READ', @@session.tx_read_only = 1, "
    "@@session.max_statement_time = {seconds}";
constexpr std::string_view kMySql =
    ", @@session.transaction_isolation = 'REPEATABLE-READ', @@session.transaction_read_only = 1, "
    "@@session.information_schema_stats_expiry = 0, @@session.max_execution_time = {millis}";
constexpr std::string_view kTiDb =
    "SET NAMES utf8mb4, @@session.sql_mode = '{modes}', @@session.time_zone = '+00:00', "
    "@@session.autocommit = 1, @@session.div_precision_increment = 16, "
    "@@session.max_execution_time = {millis}";
// What every version has: it refuses the rest.
constexpr std::string_view kSingleStore =
    "SET NAMES utf8mb4, @@session.sql_mode = 'STRICT_ALL_TABLES', @@session.autocommit = 1";

std::string Fill(std::string_view text, std::chrono::milliseconds time_max) {
  constexpr double kMillis = 1000;
  return fmt::format(
      fmt::runtime(text), fmt::arg("modes", kModes), fmt::arg("millis", time_max.count()),
      fmt::arg("seconds", fmt::format("{:.3f}", static_cast<double>(time_max.count()) / kMillis)));
}

// "10.11.19-MariaDB-0+deb12u1" is 101119; what is no number counts as 0.
int VersionOf(std::string_view text) {
  constexpr int kStep = 100;
  int version = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int part = 0; part < 3; ++part) {
    int number = 0;
    const auto read = std::from_chars(at, end, number);
    version = version * kStep + (read.ec == std::errc() ? number % kStep : 0);
    at = read.ptr;
    if (at != end && *at == '.') ++at;
  }
  return version;
}

bool Holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

Flavour FlavourOf(std::string_view version, std::string_view comment) {
  if (Holds(version, "MariaDB") || Holds(comment, "MariaDB")) return Flavour::MariaDb;
  if (Holds(version, "TiDB") || Holds(comment, "TiDB")) return Flavour::TiDb;
  if (Holds(comment, "SingleStore") || Holds(comment, "MemSQL")) return Flavour::SingleStore;
  return Flavour::MySql;
}

Status CheckVersion(const ServerInfo& server) {
  const bool is_old = (server.flavour == Flavour::MySql && server.version < kMySqlLeast) ||
                      (server.flavour == Flavour::MariaDb && server.version < kMariaDbLeast);
  if (!is_old) return Ok();
  return std::move(Error(ErrorKind::EngineUnavailable, "the server is older than this engine reads")
                       .Hint("MySQL from 8.0 and MariaDB from 10.6 on can be read."));
}

}  // namespace

Result<ServerInfo> ReadServer(const Reply& reply) {
  constexpr std::size_t kVersion = 0, kComment = 1, kFolds = 2, kDatabase = 3, kColumns = 4;
  if (reply.rows.size() != 1 || reply.rows[0].size() != kColumns || !reply.rows[0][kVersion])
    return Error(ErrorKind::SourceUnreachable, "the server does not say what it is");
  const Row& row = reply.rows[0];
  ServerInfo server;
  server.version_text = *row[kVersion];
  server.version = VersionOf(server.version_text);
  server.flavour = FlavourOf(server.version_text, row[kComment].value_or(""));
  server.folds_names = row[kFolds].value_or("0") != "0";
  server.database = row[kDatabase].value_or("");
  WARD_CHECK(CheckVersion(server));
  return server;
}

std::string PinStatement(const ServerInfo& server, std::chrono::milliseconds statement_time_max) {
  switch (server.flavour) {
    case Flavour::MariaDb:
      return Fill(std::string(kShared) + std::string(kMariaDb), statement_time_max);
    case Flavour::MySql:
      return Fill(std::string(kShared) + std::string(kMySql), statement_time_max);
    case Flavour::TiDb:
      return Fill(kTiDb, statement_time_max);
    case Flavour::SingleStore:
      break;
  }
  return std::string(kSingleStore);
}

std::string LimitStatement(const ServerInfo& server, std::chrono::milliseconds statement_time_max) {
  return Fill(server.flavour == Flavour::MariaDb ? "SET @@session.max_statement_time = {seconds}"
                                                 : "SET @@session.max_execution_time = {millis}",
              statement_time_max);
}

std::string_view BeginStatement(const ServerInfo& server) {
  return server.has_read_only_transactions() ? "START TRANSACTION READ ONLY" : "START TRANSACTION";
}

}  // namespace schemaward::connect::mysql
