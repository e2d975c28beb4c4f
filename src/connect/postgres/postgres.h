#pragma once

// The PostgreSQL engine, versions 12 to 17.

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connect/connector.h"

namespace schemaward::connect::postgres {

class Session;
struct Answer;
struct Statement;

/// Every call is one flight: BEGIN READ ONLY, settings, the work, ROLLBACK, sent at once and each
/// by the extended protocol without a name. No state outlives it, so it works behind a pooler in
/// transaction mode, and there is nothing to reset: settings are local, and what a statement may
/// have set rolls back. Limit: a single value is taken whole before its size is known.
class PostgresConnector final : public Connector {
 public:
  explicit PostgresConnector(std::unique_ptr<Session> session);
  ~PostgresConnector() override;
  const Capabilities& capabilities() const override;
  const sql::Dialect& dialect() const override;
  Result<catalog::Database> Introspect(const Scope& scope, CallContext& ctx) override;
  Result<std::string> Fingerprint(CallContext& ctx) override;
  Result<QueryResult> Query(const guard::Approved& approved, const QueryLimits& limits,
                            CallContext& ctx) override;
  Result<PlanEstimate> Explain(const guard::Approved& approved, CallContext& ctx) override;
  /// pg_stat_statements.
  Result<QueryLog> ReadQueryLog(std::size_t limit, CallContext& ctx) override;
  Status Ping(CallContext& ctx) override;
  bool IsBroken() const override;

  /// For tests: runs any one statement in the state in which queries run.
  Result<QueryResult> RunInReadOnlyState(std::string sql, const QueryLimits& limits,
                                         CallContext& ctx);
  /// For tests: statements sent since the session was opened.
  std::int64_t StatementsSent() const;

 private:
  /// Sends `work` as one flight; answers stand in this order: begin, settings, work. longest: of
  /// one statement. session: what a policy sets before the work, in the same flight. Errors:
  /// PermissionDenied where the session cannot be set; then no work has run.
  Result<std::vector<Answer>> FlyReadOnly(std::vector<Statement> work,
                                          std::chrono::milliseconds longest, CallContext& ctx,
                                          const guard::DatabaseSession& session = {});
  Result<QueryResult> Run(Statement statement, const QueryLimits& limits, CallContext& ctx,
                          const guard::DatabaseSession& session);
  Status NameTypes(QueryResult& result, const std::vector<std::pair<unsigned, int>>& types,
                   CallContext& ctx);
  Result<catalog::Database> IntrospectOnce(const Scope& scope, CallContext& ctx);

  std::unique_ptr<Session> session_;
  std::map<std::pair<unsigned, int>, std::string>
      type_names_;  // of types that are not built in; bounded
};

/// Returns the engine.
std::unique_ptr<Engine> MakeEngine();

}  // namespace schemaward::connect::postgres
