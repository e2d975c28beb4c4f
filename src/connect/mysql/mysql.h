#pragma once

// The engine of MySQL, MariaDB and SingleStore.

#include <cstdint>
#include <memory>
#include <string>

#include "connect/connector.h"

namespace schemaward::connect::mysql {

class Session;
struct Statement;

/// Every call begins on a pinned session. Callers' statements run prepared, in a transaction that
/// only reads, and the session is reset after each; our own catalog queries need neither. Limit: a
/// row is taken whole before its size is known, up to 64 MiB.
class MySqlConnector final : public Connector {
 public:
  explicit MySqlConnector(std::unique_ptr<Session> session);
  ~MySqlConnector() override;
  const Capabilities& capabilities() const override;
  const sql::Dialect& dialect() const override;
  Result<catalog::Database> Introspect(const Scope& scope, CallContext& ctx) override;
  Result<std::string> Fingerprint(CallContext& ctx) override;
  Result<QueryResult> Query(const guard::Approved& approved, const QueryLimits& limits,
                            CallContext& ctx) override;
  Result<PlanEstimate> Explain(const guard::Approved& approved, CallContext& ctx) override;
  Status Ping(CallContext& ctx) override;
  bool IsBroken() const override;

  /// For tests: runs any one statement in the state in which queries run.
  Result<QueryResult> RunInReadOnlyState(std::string sql, const QueryLimits& limits,
                                         CallContext& ctx);
  /// For tests: commands sent since the session was opened.
  std::int64_t StatementsSent() const;

 private:
  Result<QueryResult> Run(const Statement& statement, const QueryLimits& limits, CallContext& ctx,
                          const guard::DatabaseSession& session);

  std::unique_ptr<Session> session_;
};

/// Returns the engine.
std::unique_ptr<Engine> MakeEngine();

}  // namespace schemaward::connect::mysql
