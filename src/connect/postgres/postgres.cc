#include "connect/postgres/postgres.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "connect/postgres/build_catalog.h"
#include "connect/postgres/catalog_queries.h"
#include "connect/postgres/cells.h"
#include "connect/postgres/plan.h"
#include "connect/postgres/query_log.h"
#include "connect/postgres/session.h"

namespace schemaward::connect::postgres {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kCatalogTimeMax{300'000};
constexpr milliseconds kShortTimeMax{30'000};
constexpr milliseconds kPingTimeMax{10'000};
// The server's own limit stands a little behind ours, so that a deadline is told from a time limit.
constexpr milliseconds kServerLag{500};
constexpr int kIntrospectTriesMax = 2;
constexpr std::size_t kTypeNamesMax = 1000;

constexpr Capabilities kCapabilities{
    .runs_queries = true, .has_schemas = true, .cancels_in_engine = true, .explains_cost = true};

// Where the parts of a flight stand: begin, settings, work..., rollback.
constexpr std::size_t kSettingsAt = 1, kWorkAt = 2;

// statement_timeout for a call that may take `longest`.
milliseconds ServerLimit(milliseconds longest, const CallContext& ctx) {
  return std::max(std::min(longest, ctx.deadline.Left(ctx.clock, longest) + kServerLag),
                  milliseconds(1));
}

// Answers are waited for a little longer still: a server that is gone says nothing.
milliseconds SilenceMax(milliseconds longest) { return longest + 10 * kServerLag; }

// What a policy sets before the statement, for this transaction only; names and values are bound.
// The role comes last, so that the settings are not the role's to refuse.
std::vector<Statement> SettingsOf(const guard::DatabaseSession& session) {
  constexpr const char* kSet = "SELECT pg_catalog.set_config($1, $2, true)";
  std::vector<Statement> statements;
  for (const auto& [name, value] : session.settings)
    statements.push_back({kSet, {name, value}, false, nullptr});
  if (!session.role.empty())
    statements.push_back({kSet, {std::string("role"), session.role}, false, nullptr});
  return statements;
}

// A role that is not there, or that the login may not take: the policy's and not the caller's.
Error SessionFailed(const Error& error) {
  if (error.kind() != ErrorKind::SqlRuntime && error.kind() != ErrorKind::PermissionDenied)
    return error;
  Error failed(ErrorKind::PermissionDenied,
               "the database role or settings that the policy asks for cannot be set");
  failed.Hint("Grant the role to the connection's login, or change the policy's session.");
  failed.Private(error.private_detail());
  return failed;
}

// One flight: everything local to one read-only transaction that ends with it.
std::vector<Statement> InReadOnly(std::vector<Statement> session, std::vector<Statement> work,
                                  milliseconds statement_time_max) {
  std::vector<Statement> flight;
  flight.push_back({std::string(kBeginReadOnly), {}, false, nullptr});
  flight.push_back({std::string(ReadOnlySettings()),
                    {std::to_string(statement_time_max.count())},
                    false,
                    nullptr});
  std::move(session.begin(), session.end(), std::back_inserter(flight));
  std::move(work.begin(), work.end(), std::back_inserter(flight));
  flight.back().ends_segment = true;
  flight.push_back({std::string(kRollback), {}, true, nullptr});
  return flight;
}

// The first failure of a flight, but of statements from `from` on.
Status FirstFailure(const std::vector<Answer>& answers, std::size_t from) {
  for (std::size_t i = 0; i < from && i < answers.size(); ++i)
    if (answers[i].error) return *answers[i].error;
  return Ok();
}

std::vector<std::optional<std::string>> ScopeParameter(const Scope& scope) {
  if (scope.schemas.empty()) return {std::nullopt};
  return {ArrayLiteral(scope.schemas)};
}

std::string Marked(std::string text) { return text.append(kOwnMark); }

std::int64_t NumberOf(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string_view At(const Answer& answer, std::size_t row, PlaceField field) {
  return answer.reply.Text(row, static_cast<std::size_t>(field));
}

// Takes rows until a limit is reached.
class RowCollector {
 public:
  explicit RowCollector(const QueryLimits& limits) : limits_(limits) {}

  bool Take(const Reply& reply) {
    if (static_cast<std::int64_t>(result.rows.size()) >= limits_.rows_max) return Cut();
    std::vector<Cell> row;
    row.reserve(reply.ColumnCount());
    for (std::size_t c = 0; c < reply.ColumnCount(); ++c) {
      row.push_back(reply.IsNull(0, c) ? Cell() : MakeCell(reply.TypeOid(c), reply.Text(0, c)));
      bytes_ += static_cast<std::int64_t>(CellBytes(row.back()));
    }
    if (bytes_ > limits_.bytes_max) return Cut();
    if (result.columns.empty()) TakeColumns(reply);
    result.rows.push_back(std::move(row));
    return true;
  }

  // Also called with the reply that ends the rows: it has the columns of an empty result.
  void TakeColumns(const Reply& reply) {
    if (!result.columns.empty()) return;
    for (std::size_t c = 0; c < reply.ColumnCount(); ++c) {
      result.columns.push_back({std::string(reply.Name(c)), {}});
      types.emplace_back(reply.TypeOid(c), reply.TypeModifier(c));
    }
  }

  QueryResult result;
  std::vector<std::pair<unsigned, int>> types;

 private:
  bool Cut() {
    result.truncated = true;
    return false;
  }
  const QueryLimits limits_;
  std::int64_t bytes_ = 0;
};

class PostgresEngine final : public Engine {
 public:
  std::string_view name() const override { return "postgres"; }
  Result<std::unique_ptr<Connector>> Open(const Target& target, CallContext& ctx) override {
    WARD_TRY(std::unique_ptr<Session> session, Session::Open(target, ctx));
    return std::make_unique<PostgresConnector>(std::move(session));
  }
};

}  // namespace

PostgresConnector::PostgresConnector(std::unique_ptr<Session> session)
    : session_(std::move(session)) {}
PostgresConnector::~PostgresConnector() = default;

const Capabilities& PostgresConnector::capabilities() const { return kCapabilities; }
const sql::Dialect& PostgresConnector::dialect() const { return sql::Postgres(); }
bool PostgresConnector::IsBroken() const { return session_->IsBroken(); }
std::int64_t PostgresConnector::StatementsSent() const { return session_->statements_sent(); }

// The rollback's own answer is left out: where it fails, the session counts as broken.
Result<std::vector<Answer>> PostgresConnector::FlyReadOnly(std::vector<Statement> work,
                                                           milliseconds longest, CallContext& ctx,
                                                           const guard::DatabaseSession& session) {
  std::vector<Statement> set = SettingsOf(session);
  const auto set_count = static_cast<std::ptrdiff_t>(set.size());
  WARD_TRY(std::vector<Answer> answers,
           session_->Fly(InReadOnly(std::move(set), std::move(work), ServerLimit(longest, ctx)),
                         SilenceMax(longest), ctx));
  answers.pop_back();
  const auto first = answers.begin() + static_cast<std::ptrdiff_t>(kWorkAt);
  for (auto answer = first; answer != first + set_count; ++answer)
    if (answer->error) return SessionFailed(*answer->error);
  answers.erase(first, first + set_count);
  return answers;
}

Status PostgresConnector::Ping(CallContext& ctx) {
  WARD_TRY(const std::vector<Answer> answers,
           session_->Fly({{"SELECT 1", {}, true, nullptr}}, kPingTimeMax, ctx));
  return FirstFailure(answers, answers.size());
}

Result<catalog::Database> PostgresConnector::Introspect(const Scope& scope, CallContext& ctx) {
  auto database = IntrospectOnce(scope, ctx);
  // Catalog functions look at the newest catalog, not at the snapshot: an object that is dropped
  // meanwhile fails them.
  for (int tries = 1; tries < kIntrospectTriesMax; ++tries) {
    if (database) break;
    const ErrorKind kind = database.error().kind();
    if (kind != ErrorKind::SqlRuntime && kind != ErrorKind::SchemaDrift) break;
    database = IntrospectOnce(scope, ctx);
  }
  return database;
}

Result<catalog::Database> PostgresConnector::IntrospectOnce(const Scope& scope, CallContext& ctx) {
  const CatalogQueries queries = QueriesFor(session_->ServerVersion());
  const auto parameter = ScopeParameter(scope);
  std::vector<Statement> work = {
      {queries.fingerprint, {}, false, nullptr},
      {queries.relations, parameter, false, nullptr},
      {queries.columns, parameter, false, nullptr},
      {queries.types, {}, false, nullptr},
      {queries.constraints, parameter, false, nullptr},
      {queries.indexes, parameter, true, nullptr},
      {queries.statistics, parameter, true, nullptr},
  };
  const std::size_t statistics_at = kWorkAt + work.size() - 1;
  WARD_TRY(std::vector<Answer> answers, FlyReadOnly(std::move(work), kCatalogTimeMax, ctx));
  WARD_CHECK(FirstFailure(answers, statistics_at));
  CatalogReplies replies;
  Reply* const parts[] = {&replies.relations,   &replies.columns, &replies.types,
                          &replies.constraints, &replies.indexes, &replies.statistics};
  for (std::size_t i = 0; i < std::size(parts); ++i)
    *parts[i] = std::move(answers[kWorkAt + 1 + i].reply);
  catalog::Database database = BuildCatalog(replies);
  database.engine = "postgres";
  database.name = answers[kSettingsAt].reply.Text(0, 0);
  database.engine_version = answers[kSettingsAt].reply.Text(0, 1);
  database.fingerprint = answers[kWorkAt].reply.Text(0, 0);
  if (answers[statistics_at].error) {
    database.missing.push_back({"statistics", "the planner's statistics could not be read"});
    ctx.Warn(answers[statistics_at].error->ToLogText());
  }
  return database;
}

Result<std::string> PostgresConnector::Fingerprint(CallContext& ctx) {
  std::vector<Statement> work = {
      {QueriesFor(session_->ServerVersion()).fingerprint, {}, false, nullptr}};
  WARD_TRY(std::vector<Answer> answers, FlyReadOnly(std::move(work), kShortTimeMax, ctx));
  WARD_CHECK(FirstFailure(answers, answers.size()));
  return answers[kWorkAt].reply.String(0, 0);
}

Result<QueryResult> PostgresConnector::Query(const guard::Approved& approved,
                                             const QueryLimits& limits, CallContext& ctx) {
  Statement statement{Marked(approved.text()), {}, false, nullptr};
  for (const sql::Literal& literal : approved.parameters())
    statement.parameters.push_back(ParameterText(literal));
  return Run(std::move(statement), limits, ctx, approved.session());
}

Result<QueryResult> PostgresConnector::RunInReadOnlyState(std::string sql,
                                                          const QueryLimits& limits,
                                                          CallContext& ctx) {
  return Run({std::move(sql), {}, false, nullptr}, limits, ctx, {});
}

Result<QueryResult> PostgresConnector::Run(Statement statement, const QueryLimits& limits,
                                           CallContext& ctx,
                                           const guard::DatabaseSession& session) {
  RowCollector rows(limits);
  statement.on_row = [&rows](const Reply& row) { return rows.Take(row); };
  std::vector<Statement> work;
  work.push_back(std::move(statement));
  WARD_TRY(std::vector<Answer> answers,
           FlyReadOnly(std::move(work), limits.time_max, ctx, session));
  WARD_CHECK(FirstFailure(answers, answers.size()));
  rows.TakeColumns(answers[kWorkAt].reply);
  WARD_CHECK(NameTypes(rows.result, rows.types, ctx));
  return std::move(rows.result);
}

// Types that are not built in are asked for in one more flight, once.
Status PostgresConnector::NameTypes(QueryResult& result,
                                    const std::vector<std::pair<unsigned, int>>& types,
                                    CallContext& ctx) {
  std::vector<std::string> oids, modifiers;
  std::vector<std::pair<unsigned, int>> asked;
  for (const auto& type : types) {
    if (BuiltInTypeName(type.first, type.second) || type_names_.contains(type)) continue;
    asked.push_back(type);
    oids.push_back(std::to_string(type.first));
    modifiers.push_back(std::to_string(type.second));
  }
  if (!asked.empty()) {
    constexpr const char* kAsk =
        "SELECT format_type(t.oid, t.modifier) FROM unnest($1::oid[], $2::int4[]) WITH ORDINALITY "
        "AS t (oid, modifier, n) ORDER BY t.n";
    std::vector<Statement> work = {
        {kAsk, {ArrayLiteral(oids), ArrayLiteral(modifiers)}, false, nullptr}};
    WARD_TRY(std::vector<Answer> answers, FlyReadOnly(std::move(work), kShortTimeMax, ctx));
    WARD_CHECK(FirstFailure(answers, answers.size()));
    if (type_names_.size() + asked.size() > kTypeNamesMax) type_names_.clear();
    for (std::size_t i = 0; i < asked.size(); ++i)
      type_names_[asked[i]] = answers[kWorkAt].reply.String(i, 0);
  }
  for (std::size_t c = 0; c < types.size(); ++c) {
    const auto built_in = BuiltInTypeName(types[c].first, types[c].second);
    result.columns[c].type = built_in ? *built_in : type_names_[types[c]];
  }
  return Ok();
}

Result<PlanEstimate> PostgresConnector::Explain(const guard::Approved& approved, CallContext& ctx) {
  Statement statement{"EXPLAIN (FORMAT JSON) " + Marked(approved.text()), {}, false, nullptr};
  for (const sql::Literal& literal : approved.parameters())
    statement.parameters.push_back(ParameterText(literal));
  std::vector<Statement> work;
  work.push_back(std::move(statement));
  WARD_TRY(std::vector<Answer> answers,
           FlyReadOnly(std::move(work), kShortTimeMax, ctx, approved.session()));
  WARD_CHECK(FirstFailure(answers, answers.size()));
  return ReadPlan(answers[kWorkAt].reply.Text(0, 0));
}

Result<QueryLog> PostgresConnector::ReadQueryLog(std::size_t limit, CallContext& ctx) {
  std::vector<Statement> ask = {{std::string(PlaceQuery()), {}, false, nullptr}};
  WARD_TRY(const std::vector<Answer> place, FlyReadOnly(std::move(ask), kShortTimeMax, ctx));
  WARD_CHECK(FirstFailure(place, place.size()));
  const Answer& at = place[kWorkAt];
  QueryLog log{std::string(kLogName), {}, {}, {}, false};
  log.search_path = SplitSearchPath(At(at, 0, PlaceField::SearchPath), At(at, 0, PlaceField::User));
  const std::string_view schema = At(at, 0, PlaceField::Schema);
  if (schema.empty()) {
    log.note = "the extension pg_stat_statements is not installed in this database";
    return log;
  }
  std::vector<Statement> read = {
      {StatementsQuery(schema), {std::to_string(limit)}, false, nullptr}};
  WARD_TRY(std::vector<Answer> answers, FlyReadOnly(std::move(read), kShortTimeMax, ctx));
  WARD_CHECK(FirstFailure(answers, kWorkAt));
  if (const auto& error = answers[kWorkAt].error) {
    log.note = "pg_stat_statements cannot be read: " +
               (error->kind() == ErrorKind::PermissionDenied
                    ? std::string("this role may not")
                    : std::string("it must be loaded by shared_preload_libraries"));
    ctx.Warn(error->ToLogText());
    return log;
  }
  log.is_there = true;
  if (At(at, 0, PlaceField::MayReadAll) != "t")
    log.note = "only this role's own statements can be read; grant it pg_read_all_stats for all";
  const Reply& reply = answers[kWorkAt].reply;
  for (std::size_t row = 0; row < reply.RowCount(); ++row)
    log.queries.push_back({reply.String(row, 0), NumberOf(reply.Text(row, 1))});
  return log;
}

std::unique_ptr<Engine> MakeEngine() { return std::make_unique<PostgresEngine>(); }

}  // namespace schemaward::connect::postgres
