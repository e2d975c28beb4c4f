#pragma once

// The seam to the databases: an Engine opens Connectors; a Connector is one session with one
// database.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "guard/approved.h"
#include "sql/dialect.h"

namespace schemaward::connect {

/// Where to connect and as whom. `secret` is resolved for each connect and is never stored or
/// logged.
struct Target {
  std::string engine;     ///< sqlite | postgres | ddl | ...
  std::string location;   ///< what the engine opens, without a secret: a path, or a libpq URI or
                          ///< keyword string
  std::string secret;     ///< a password, or empty
  std::string library{};  ///< path of the engine's client library; empty: where it usually is
};

/// What an engine can do, as data.
struct Capabilities {
  bool runs_queries = false;  ///< false: a script or a dump, there is nothing to ask
  bool has_schemas = false;
  bool cancels_in_engine = false;
  bool explains_cost = false;
};

/// Blob is base64 when written; Decimal and Text keep the engine's own text. [R-VAL-1]
struct Decimal {
  std::string text;
};
struct Blob {
  std::string bytes;
};
using Cell = std::variant<std::monostate, bool, std::int64_t, double, std::string, Decimal, Blob>;

struct ResultColumn {
  std::string name;
  std::string type;  ///< as the engine prints it; may be empty
};

struct QueryLimits {
  std::int64_t rows_max = 100;
  std::int64_t bytes_max = 1 << 20;  ///< of all cells together
  std::chrono::milliseconds time_max{30'000};
};

struct QueryResult {
  std::vector<ResultColumn> columns;
  std::vector<std::vector<Cell>> rows;
  bool truncated = false;  ///< a limit cut rows off
};

/// The engine's own estimate. Negative where it gives none.
struct PlanEstimate {
  double cost = -1;
  double rows = -1;
  std::string text;  ///< the plan in the engine's words, one line a node
};

/// Which part of a catalog is wanted; empty lists mean all that the role may see.
struct Scope {
  std::vector<std::string> schemas;
};

/// One statement of an engine's own query log.
struct LoggedQuery {
  std::string sql;  ///< as the engine keeps it, mostly without its constants
  std::int64_t calls = 0;
};

/// What an engine keeps of the statements that ran in this database.
struct QueryLog {
  std::string origin;                    ///< the engine's name of it: pg_stat_statements
  std::vector<LoggedQuery> queries;      ///< most calls first
  std::vector<std::string> search_path;  ///< of a new session of this role; may be empty
  std::string note;                      ///< why there is none, or not all of it; safe to show
  bool is_there = false;
};

/// One session. Errors of every call: SourceUnreachable, SourceAuthFailed, MissingCredential,
/// PermissionDenied, PoolFull, StatementTimeout, Cancelled, DeadlineExceeded, DiskFull,
/// SchemaDrift, NotARead, SqlRuntime, EngineUnavailable; the engine's own text is private. Thread:
/// one at a time. A call returns soon after ctx.stop is requested or ctx.deadline passes, and the
/// engine's query with it.
class Connector {
 public:
  virtual ~Connector() = default;
  virtual const Capabilities& capabilities() const = 0;
  virtual const sql::Dialect& dialect() const = 0;
  /// Reads the catalog in a fixed number of round trips. What may not be read is listed in
  /// `missing`, the rest arrives.
  virtual Result<catalog::Database> Introspect(const Scope& scope, CallContext& ctx) = 0;
  /// Returns a text that changes when the catalog does; one cheap round trip.
  virtual Result<std::string> Fingerprint(CallContext& ctx) = 0;
  /// Runs an approved statement in a read-only state of the engine.
  virtual Result<QueryResult> Query(const guard::Approved& approved, const QueryLimits& limits,
                                    CallContext& ctx) = 0;
  virtual Result<PlanEstimate> Explain(const guard::Approved& approved, CallContext& ctx) = 0;
  /// Returns the `limit` statements with the most calls of the engine's own query log, without
  /// those that Schemaward sent. No log, or none that this role may read: is_there is false and the
  /// note says why; that is no error.
  virtual Result<QueryLog> ReadQueryLog(std::size_t /*limit*/, CallContext& /*ctx*/) {
    return QueryLog{"query log", {}, {}, "this engine keeps no query log", false};
  }
  virtual Status Ping(CallContext& ctx) = 0;
  /// True when the session can no longer be used; the pool then drops it.
  virtual bool IsBroken() const = 0;
};

/// An engine. Thread: any. Lifetime: of the process.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string_view name() const = 0;
  /// Opens a session. Errors: as Connector.
  virtual Result<std::unique_ptr<Connector>> Open(const Target& target, CallContext& ctx) = 0;
};

using EnginePtr = std::shared_ptr<Engine>;  // shared: pools outlive the list they came from

}  // namespace schemaward::connect
