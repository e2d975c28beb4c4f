#include "connect/duckdb/duckdb.h"

#include <filesystem>
#include <utility>

#include "connect/duckdb/introspect.h"
#include "connect/duckdb/run.h"
#include "connect/registry.h"

namespace schemaward::connect::duckdb {
namespace {

using std::chrono::milliseconds;

// Of calls that bring no limit of their own; the deadline of the call holds besides.
constexpr milliseconds kIntrospectMax{120'000};
constexpr milliseconds kShortMax{10'000};

constexpr Capabilities kCapabilities{
    .runs_queries = true, .has_schemas = true, .cancels_in_engine = true, .explains_cost = false};

// Who decides on the joins of a statement. Errors: Internal for a session that is not ours to give.
Result<Joins> JoinsOf(const guard::Approved& approved) {
  const guard::DatabaseSession& wanted = approved.session();
  if (wanted.IsEmpty()) return Joins::Planned;
  if (wanted == guard::DatabaseSession{"", {{"disabled_optimizers", "join_order"}}})
    return Joins::AsWritten;
  return Error(ErrorKind::Internal, "the statement needs a session that DuckDB does not have");
}

}  // namespace

FileConnector::FileConnector(std::string path, std::string name,
                             std::shared_ptr<const Library> library,
                             std::shared_ptr<Instances> instances)
    : path_(std::move(path)),
      name_(std::move(name)),
      library_(std::move(library)),
      instances_(std::move(instances)) {}

const Capabilities& FileConnector::capabilities() const { return kCapabilities; }
const sql::Dialect& FileConnector::dialect() const { return sql::DuckDb(); }

// Borrows the file for one call.
template <class T, class Work>
Result<T> FileConnector::With(Joins joins, milliseconds time_max, CallContext& ctx, Work work) {
  const auto once = [&]() -> Result<T> {
    WARD_TRY(Lease lease, instances_->Acquire(library_, path_, ctx));
    WARD_TRY(const std::unique_ptr<Session> session,
             Session::Open(std::move(lease), joins, time_max, ctx));
    Result<T> result = work(*session);
    statements_ += session->statements();
    return result;
  };
  Result<T> result = once();
  is_broken_ = !result && result.error().kind() == ErrorKind::SourceUnreachable;
  return result;
}

Result<catalog::Database> FileConnector::Introspect(const Scope& scope, CallContext& ctx) {
  return With<catalog::Database>(Joins::Planned, kIntrospectMax, ctx, [&](Session& session) {
    return ReadCatalog(session, name_, scope);
  });
}

Result<std::string> FileConnector::Fingerprint(CallContext& ctx) {
  WARD_CHECK(ctx.Check());
  WARD_TRY(const FileState before, StateOf(path_));
  if (auto kept = instances_->KeptFingerprint(path_, before)) return *std::move(kept);
  auto read = With<std::string>(
      Joins::Planned, kShortMax, ctx, [&](Session& session) -> Result<std::string> {
        WARD_TRY(std::string fingerprint, ReadFingerprint(session));
        instances_->KeepFingerprint(path_, session.instance().file(), fingerprint);
        return fingerprint;
      });
  return read;
}

Result<QueryResult> FileConnector::Query(const guard::Approved& approved, const QueryLimits& limits,
                                         CallContext& ctx) {
  WARD_TRY(const Joins joins, JoinsOf(approved));
  return With<QueryResult>(joins, limits.time_max, ctx,
                           [&](Session& session) { return Run(session, approved, limits); });
}

Result<PlanEstimate> FileConnector::Explain(const guard::Approved& approved, CallContext& ctx) {
  WARD_TRY(const Joins joins, JoinsOf(approved));
  return With<PlanEstimate>(joins, kShortMax, ctx,
                            [&](Session& session) { return ExplainPlan(session, approved); });
}

Status FileConnector::Ping(CallContext& ctx) {
  return With<void>(Joins::Planned, kShortMax, ctx, [](Session& session) {
    return ForEachRow(session, "SELECT 1", [](const std::vector<Cell>&) {});
  });
}

Status FileConnector::Attempt(const std::string& sql, CallContext& ctx) {
  return With<void>(Joins::Planned, kShortMax, ctx,
                    [&](Session& session) { return session.Attempt(sql); });
}

Result<std::shared_ptr<const Library>> DuckdbEngine::LibraryOf(const Target& target) {
  // Loading is rare; under the lock it happens once.
  MutexLock lock(mutex_);
  if (library_ == nullptr) {
    WARD_TRY(library_, Library::Load(LibraryCandidates(target.library, BinaryFolder())));
  }
  return library_;
}

Result<std::unique_ptr<Connector>> DuckdbEngine::Open(const Target& target, CallContext& ctx) {
  WARD_CHECK(ctx.Check());
  WARD_TRY(std::string path, RealPath(target.location));
  WARD_TRY(std::shared_ptr<const Library> library, LibraryOf(target));
  std::string name = std::filesystem::path(target.location).stem().string();
  auto connector = std::make_unique<FileConnector>(std::move(path), std::move(name),
                                                   std::move(library), instances_);
  WARD_CHECK(connector->Ping(ctx));
  return connector;
}

std::unique_ptr<Engine> MakeEngine() { return std::make_unique<DuckdbEngine>(); }

}  // namespace schemaward::connect::duckdb
