#pragma once

// Which of the servers that speak this protocol it is, and how its sessions are pinned.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "connect/mysql/reply.h"

namespace schemaward::connect::mysql {

enum class Flavour : std::uint8_t { MySql, MariaDb, SingleStore, TiDb };

struct ServerInfo {
  Flavour flavour = Flavour::MySql;
  int version = 0;           ///< 101106 is 10.11.6
  std::string version_text;  ///< as the server prints it
  std::string database;      ///< that unqualified names mean; empty: none
  bool folds_names = false;  ///< names of tables compare without case (lower_case_table_names)

  bool has_read_only_transactions() const {
    return flavour == Flavour::MySql || flavour == Flavour::MariaDb;
  }
  bool has_time_limit() const { return flavour != Flavour::SingleStore; }
};

/// The first question to a server: one row that ReadServer reads. Every flavour has these.
inline constexpr std::string_view kAskServer =
    "SELECT @@version, @@version_comment, @@lower_case_table_names, DATABASE()";

/// The second to SingleStore, whose @@version is the one of MySQL that it imitates.
inline constexpr std::string_view kAskSingleStoreVersion = "SELECT @@memsql_version";

/// Returns what the answer to kAskServer says. Errors: EngineUnavailable for MySQL before 8.0 and
/// MariaDB before 10.6; SourceUnreachable where the answer cannot be read. Thread: any.
Result<ServerInfo> ReadServer(const Reply& reply);

/// Returns the one statement that pins everything which changes how a session reads or prints, and
/// makes it read-only where the server can: sent at open and after each reset.
std::string PinStatement(const ServerInfo& server, std::chrono::milliseconds statement_time_max);

/// Returns the statement that changes the server's own time limit only. Requires:
/// server.has_time_limit().
std::string LimitStatement(const ServerInfo& server, std::chrono::milliseconds statement_time_max);

/// Returns what begins the transaction of a read.
std::string_view BeginStatement(const ServerInfo& server);

}  // namespace schemaward::connect::mysql
