#include "connect/sqlite/file_connector.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "connect/sqlite/introspect.h"
#include "connect/sqlite/run.h"

namespace schemaward::connect::sqlite_engine {
namespace {

using std::chrono::milliseconds;

// Of calls that bring no limit of their own; the deadline of the call holds besides.
constexpr milliseconds kIntrospectMax{120'000};
constexpr milliseconds kPingMax{5'000};

constexpr Capabilities kCapabilities{
    .runs_queries = true, .has_schemas = false, .cancels_in_engine = true, .explains_cost = false};

bool IsWanted(const Scope& scope) {
  return scope.schemas.empty() ||
         std::find(scope.schemas.begin(), scope.schemas.end(), "main") != scope.schemas.end();
}

}  // namespace

const Capabilities& FileConnector::capabilities() const { return kCapabilities; }
const sql::Dialect& FileConnector::dialect() const { return sql::Sqlite(); }

Result<Session> FileConnector::Begin(Mode mode, milliseconds time_max, CallContext& ctx) {
  if (mode == Mode::Query) {
    WARD_TRY(const FileState now, StateOf(path_));
    if (auto handle = kept_->Take(path_, now))
      return Session::Resume(*std::move(handle), time_max, ctx);
  }
  ++opened_;
  return Session::Open(path_, mode, time_max, ctx);
}

template <class T, class Work>
Result<T> FileConnector::With(Mode mode, milliseconds time_max, CallContext& ctx, Work work) {
  constexpr int kAttemptsMax = 2;
  for (int attempt = 1;; ++attempt) {
    auto session = Begin(mode, time_max, ctx);
    if (!session) {
      is_broken_ = session.error().kind() == ErrorKind::SourceUnreachable;
      return std::move(session).error();
    }
    Result<T> result = work(*session);
    statements_ += session->statements();
    const Status finished = session->Finish();
    // What failed is not used again, whatever the reason.
    if (mode == Mode::Query && finished && result)
      if (auto handle = session->Release()) kept_->Keep(*std::move(handle));
    if (finished || (!result && result.error().kind() == ErrorKind::Cancelled)) return result;
    if (attempt == kAttemptsMax) return finished.error();
  }
}

Result<catalog::Database> FileConnector::Introspect(const Scope& scope, CallContext& ctx) {
  const std::string name = std::filesystem::path(path_).stem().string();
  auto database =
      With<catalog::Database>(Mode::Introspect, kIntrospectMax, ctx,
                              [&](Session& session) { return ReadCatalog(session, name); });
  if (database && !IsWanted(scope)) database->tables.clear();
  return database;
}

Result<std::string> FileConnector::Fingerprint(CallContext& ctx) {
  return With<std::string>(Mode::Header, kPingMax, ctx,
                           [](Session& session) { return ReadFingerprint(session); });
}

Result<QueryResult> FileConnector::Query(const guard::Approved& approved, const QueryLimits& limits,
                                         CallContext& ctx) {
  return With<QueryResult>(Mode::Query, limits.time_max, ctx,
                           [&](Session& session) { return Run(session, approved, limits); });
}

Result<PlanEstimate> FileConnector::Explain(const guard::Approved& approved, CallContext& ctx) {
  return With<PlanEstimate>(Mode::Query, kPingMax, ctx,
                            [&](Session& session) { return ExplainPlan(session, approved); });
}

Status FileConnector::Ping(CallContext& ctx) {
  auto version = Fingerprint(ctx);
  if (!version) return std::move(version).error();
  return Ok();
}

}  // namespace schemaward::connect::sqlite_engine
