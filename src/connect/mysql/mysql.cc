#include "connect/mysql/mysql.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "connect/mysql/build_catalog.h"
#include "connect/mysql/catalog_queries.h"
#include "connect/mysql/cells.h"
#include "connect/mysql/plan.h"
#include "connect/mysql/session.h"

namespace schemaward::connect::mysql {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kCatalogTimeMax{300'000};
constexpr milliseconds kShortTimeMax{30'000};

constexpr Capabilities kCapabilities{
    .runs_queries = true, .has_schemas = true, .cancels_in_engine = true, .explains_cost = true};

// Takes rows until a limit is reached.
class RowCollector {
 public:
  explicit RowCollector(const QueryLimits& limits) : limits_(limits) {}

  bool Take(const std::vector<Field>& fields, Row row) {
    if (static_cast<std::int64_t>(result.rows.size()) >= limits_.rows_max) return Cut();
    std::vector<Cell> cells;
    cells.reserve(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      cells.push_back(MakeCell(fields[i], std::move(row[i])));
      bytes_ += static_cast<std::int64_t>(CellBytes(cells.back()));
    }
    if (bytes_ > limits_.bytes_max) return Cut();
    result.rows.push_back(std::move(cells));
    return true;
  }

  QueryResult result;

 private:
  bool Cut() {
    result.truncated = true;
    return false;
  }
  const QueryLimits limits_;
  std::int64_t bytes_ = 0;
};

class MySqlEngine final : public Engine {
 public:
  MySqlEngine() { StartLibrary(); }
  std::string_view name() const override { return "mysql"; }
  Result<std::unique_ptr<Connector>> Open(const Target& target, CallContext& ctx) override {
    WARD_TRY(std::unique_ptr<Session> session, Session::Open(target, ctx));
    return std::make_unique<MySqlConnector>(std::move(session));
  }
};

}  // namespace

MySqlConnector::MySqlConnector(std::unique_ptr<Session> session) : session_(std::move(session)) {}
MySqlConnector::~MySqlConnector() = default;

const Capabilities& MySqlConnector::capabilities() const { return kCapabilities; }
const sql::Dialect& MySqlConnector::dialect() const { return sql::MySql(); }
bool MySqlConnector::IsBroken() const { return session_->IsBroken(); }
std::int64_t MySqlConnector::StatementsSent() const { return session_->commands_sent(); }
Status MySqlConnector::Ping(CallContext& ctx) { return session_->Ping(ctx); }

Result<catalog::Database> MySqlConnector::Introspect(const Scope& scope, CallContext& ctx) {
  const ServerInfo& server = session_->server();
  const CatalogQueries queries = QueriesFor(server, scope);
  CatalogReplies replies;
  Reply fingerprint;
  const std::pair<const Statement*, Reply*> steps[] = {{&queries.fingerprint, &fingerprint},
                                                       {&queries.tables, &replies.tables},
                                                       {&queries.columns, &replies.columns},
                                                       {&queries.indexes, &replies.indexes},
                                                       {&queries.keys, &replies.keys},
                                                       {&queries.actions, &replies.actions},
                                                       {&queries.checks, &replies.checks},
                                                       {&queries.views, &replies.views},
                                                       {&queries.partitions, &replies.partitions}};
  for (const auto& [statement, reply] : steps) {
    if (statement->sql.empty()) continue;
    WARD_TRY(*reply, session_->Ask(*statement, kCatalogTimeMax, ctx));
  }
  catalog::Database database = BuildCatalog(server, replies);
  database.engine = "mysql";
  database.name = server.database;
  database.engine_version = server.version_text;
  if (!fingerprint.rows.empty()) database.fingerprint = fingerprint.rows[0][0].value_or("");
  return database;
}

Result<std::string> MySqlConnector::Fingerprint(CallContext& ctx) {
  const Statement statement = QueriesFor(session_->server(), {}).fingerprint;
  WARD_TRY(const Reply reply, session_->Ask(statement, kShortTimeMax, ctx));
  if (reply.rows.empty()) return Error(ErrorKind::Internal, "the catalog has no fingerprint");
  return reply.rows[0][0].value_or("");
}

Result<QueryResult> MySqlConnector::Query(const guard::Approved& approved,
                                          const QueryLimits& limits, CallContext& ctx) {
  return Run({approved.text(), approved.parameters()}, limits, ctx, approved.session());
}

Result<QueryResult> MySqlConnector::RunInReadOnlyState(std::string sql, const QueryLimits& limits,
                                                       CallContext& ctx) {
  return Run({std::move(sql), {}}, limits, ctx, {});
}

Result<QueryResult> MySqlConnector::Run(const Statement& statement, const QueryLimits& limits,
                                        CallContext& ctx, const guard::DatabaseSession& session) {
  RowCollector rows(limits);
  const auto take = [&rows](const std::vector<Field>& fields, Row row) {
    return rows.Take(fields, std::move(row));
  };
  WARD_TRY(
      const std::vector<Field> fields,
      session_->Read(statement, session, take, std::max(limits.time_max, milliseconds(1)), ctx));
  for (const Field& field : fields) rows.result.columns.push_back({field.name, TypeName(field)});
  return std::move(rows.result);
}

Result<PlanEstimate> MySqlConnector::Explain(const guard::Approved& approved, CallContext& ctx) {
  std::string plan;
  const auto keep = [&plan](const std::vector<Field>&, Row row) {
    if (!row.empty()) plan += row[0].value_or("");
    return true;
  };
  WARD_TRY(const std::vector<Field> fields,
           session_->Read({"EXPLAIN FORMAT=JSON " + approved.text(), approved.parameters()},
                          approved.session(), keep, kShortTimeMax, ctx));
  return ReadPlan(plan);
}

std::unique_ptr<Engine> MakeEngine() { return std::make_unique<MySqlEngine>(); }

}  // namespace schemaward::connect::mysql
