#include "app/source_access.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "index/run.h"
#include "store/sources.h"
#include "tools/drift.h"

namespace schemaward::app {

std::shared_ptr<connect::Pool> PooledAccess::PoolOf(const store::Source& source) {
  const Key key{source.id, source.engine, source.location, source.secret_ref};
  MutexLock lock(mutex_);
  std::erase_if(pools_,
                [&](const auto& entry) { return entry.first.id == key.id && entry.first != key; });
  auto& pool = pools_[key];
  if (pool == nullptr) {
    const auto open = [this, source](CallContext& ctx) {
      return application_.Connect(source, ctx);
    };
    connect::PoolOptions options;
    options.connections_max = static_cast<std::size_t>(
        std::max<std::int64_t>(1, application_.config().GetInt("limits.connections")));
    pool = std::make_shared<connect::Pool>(open, application_.clock(), options);
  }
  return pool;
}

std::map<std::int64_t, connect::PoolState> PooledAccess::PoolStates() {
  MutexLock lock(mutex_);
  std::map<std::int64_t, connect::PoolState> states;
  for (const auto& [key, pool] : pools_) states[key.id] = pool->state();
  return states;
}

namespace {

Status CheckRuns(const connect::Connector& session, const store::Source& source) {
  if (session.capabilities().runs_queries) return Ok();
  return Error(
      ErrorKind::EngineUnavailable,
      fmt::format("source \"{}\" is a description without a database behind it", source.name));
}

}  // namespace

Result<connect::QueryResult> PooledAccess::Query(const store::Source& source,
                                                 const guard::Approved& approved,
                                                 const connect::QueryLimits& limits,
                                                 CallContext& ctx) {
  const std::shared_ptr<connect::Pool> pool = PoolOf(source);
  WARD_TRY(auto lease, pool->Acquire(ctx));
  WARD_CHECK(CheckRuns(*lease, source));
  auto result = lease->Query(approved, limits, ctx);
  if (!result) return tools::NameDrift(approved.reads(), result.error());
  return result;
}

Result<connect::PlanEstimate> PooledAccess::Explain(const store::Source& source,
                                                    const guard::Approved& approved,
                                                    CallContext& ctx) {
  const std::shared_ptr<connect::Pool> pool = PoolOf(source);
  WARD_TRY(auto lease, pool->Acquire(ctx));
  WARD_CHECK(CheckRuns(*lease, source));
  auto plan = lease->Explain(approved, ctx);
  if (!plan) return tools::NameDrift(approved.reads(), plan.error());
  return plan;
}

Result<store::Source> PooledAccess::Attach(const tools::AttachSpec& spec, CallContext& ctx) {
  WARD_TRY(store::Store * store, application_.Store(true));
  WARD_TRY(std::vector<store::Source> known, store->ListSources());
  const auto found = std::find_if(known.begin(), known.end(), [&](const store::Source& one) {
    return one.location == spec.location;
  });
  store::Source source;
  if (found != known.end()) {
    source = *found;
  } else {
    const store::SourceSpec wanted{.name = spec.name,
                                   .engine = spec.engine,
                                   .location = spec.location,
                                   .secret_ref = std::string(tools::kAttachedSecret)};
    WARD_TRY(source, store::PutSource(*store, wanted));
  }
  // A source that was registered at the same place keeps the secret that it was given.
  if (source.secret_ref == tools::kAttachedSecret) application_.KeepSecret(source.id, spec.secret);
  if (source.generation > 0 && !spec.look_again) return source;
  {
    const std::shared_ptr<connect::Pool> pool = PoolOf(source);
    WARD_TRY(auto lease, pool->Acquire(ctx));
    index::RunOptions run;
    run.policy = policy_;
    WARD_CHECK(index::Run(*lease, *store, source, run, ctx));
  }
  WARD_TRY(auto fresh, store->FindSource(source.name));
  if (!fresh)
    return Error(ErrorKind::UnknownSource, "the workspace's source was removed meanwhile");
  return *std::move(fresh);
}

}  // namespace schemaward::app
