#pragma once

// One DuckDB over a database file, hardened: read-only, without access to other files, extensions
// or the network, its settings locked.

#include <cstdint>
#include <string>

#include "base/result.h"
#include "connect/duckdb/library.h"

namespace schemaward::connect::duckdb {

/// Who decides on the order and the methods of joins. It is a setting of the whole database and
/// locked with the others, so that a file that is needed both ways is opened twice.
enum class Joins : std::uint8_t {
  Planned,   ///< the engine, by estimates that follow the values of all columns that are bound
  AsWritten  ///< the statement
};

/// Thread: any. Lifetime: `api` outlives it.
class Opened {
 public:
  /// Errors: SourceUnreachable, with the holder's process where another program writes the file;
  /// InputUnreadable when it is no database that this library reads.
  static Result<Opened> Open(const Api& api, const std::string& path, Joins joins);
  /// Makes a session of its own. It finds functions and operators of the engine before macros of
  /// the database, which may have the same names, so that its current database is called "system";
  /// the file's is in the variable ward_database. Views keep to where they were made. Errors:
  /// SourceUnreachable.
  Result<Owned<Connection>> Connect() const;

 private:
  explicit Opened(const Api& api) : api_(&api) {}
  Status OpenFile(const std::string& path);
  Status OpenBeside(const std::string& path, Joins joins);
  Status Lock(Connection connection, Joins joins) const;
  Status LearnPath(Connection connection);

  const Api* api_;
  Owned<Database> database_;
  std::string set_path_;      // the statement that has each session find the engine's own first
  bool is_attached_ = false;  // the file is not the first database of the process but a second
};

}  // namespace schemaward::connect::duckdb
