#pragma once

// The sources' data as the tools reach it: one bounded pool of sessions for each source.

#include <map>
#include <memory>
#include <utility>

#include "app/application.h"
#include "base/mutex.h"
#include "connect/pool.h"
#include "tools/services.h"

namespace schemaward::app {

/// Thread: any. Lifetime: the application outlives it.
class PooledAccess final : public tools::SourceAccess {
 public:
  /// policy: what a database that is attached is indexed under.
  PooledAccess(Application& application, privacy::Policy policy)
      : application_(application), policy_(std::move(policy)) {}

  Result<connect::QueryResult> Query(const store::Source& source, const guard::Approved& approved,
                                     const connect::QueryLimits& limits, CallContext& ctx) override;
  Result<connect::PlanEstimate> Explain(const store::Source& source,
                                        const guard::Approved& approved, CallContext& ctx) override;
  /// How the pools stand, by the id of their source: of those that a call needed so far.
  std::map<std::int64_t, connect::PoolState> PoolStates();

  Result<store::Source> Attach(const tools::AttachSpec& spec, CallContext& ctx) override;

 private:
  /// A source that was given another place has another pool.
  struct Key {
    std::int64_t id;
    std::string engine, location, secret_ref;
    auto operator<=>(const Key&) const = default;
  };
  std::shared_ptr<connect::Pool> PoolOf(const store::Source& source);

  Application& application_;
  const privacy::Policy policy_;
  Mutex mutex_;
  // shared: a call keeps its pool while another drops it from the list
  std::map<Key, std::shared_ptr<connect::Pool>> pools_ GUARDED_BY(mutex_);
};

}  // namespace schemaward::app
