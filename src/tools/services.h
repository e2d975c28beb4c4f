#pragma once

// What the tools may use. Built by app/, handed to every tool; there are no globals.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_context.h"
#include "base/clock.h"
#include "connect/connector.h"
#include "guard/guard.h"
#include "patterns/library.h"
#include "retrieve/search.h"
#include "semantic/model_cache.h"
#include "store/store.h"
#include "workspaces/cloud.h"

namespace schemaward::tools {

class Explorations;  // tools/explorations.h

/// How far the index of a source is.
struct BuildState {
  bool building = false;
  std::int64_t done = 0;
  std::int64_t total = 0;           ///< 0 where it is not known yet
  std::optional<Error> last_error;  ///< why the last index or refresh failed, until one succeeds
};

/// Watches the sources for change while they are served. Thread: any.
class IndexWatch {
 public:
  virtual ~IndexWatch() = default;
  virtual BuildState State(const store::Source& source) = 0;
  /// Says that `source` is used: it is looked at now and then, in the background.
  virtual void Used(const store::Source& source) = 0;
  /// Looks now, before `name` is said not to be there. Returns true when the index has changed
  /// since. Waits a bounded time.
  virtual bool LookNow(const store::Source& source, std::string_view name) = 0;
};

/// Watches nothing: for `call`, and for sources that never change.
class NoWatch final : public IndexWatch {
 public:
  BuildState State(const store::Source& /*source*/) override { return {}; }
  void Used(const store::Source& /*source*/) override {}
  bool LookNow(const store::Source& /*source*/, std::string_view /*name*/) override {
    return false;
  }
};

/// A database that a managed service tells of, as a source of the store.
struct AttachSpec {
  std::string name;  ///< made unique where it is another source's
  std::string engine;
  std::string location;     ///< without its secret
  std::string secret;       ///< for this run; never stored
  bool look_again = false;  ///< index anew although there is an index
};

/// How the store names the secret of an attached source: it lives for one run.
inline constexpr std::string_view kAttachedSecret = "env:SCHEMAWARD_WORKSPACES_TOKEN";

/// The way to a source's data. Thread: any.
class SourceAccess {
 public:
  virtual ~SourceAccess() = default;
  /// Runs an approved statement on a pooled session, once. Errors: MissingCredential, PoolFull,
  /// EngineUnavailable where there is no database behind the source (a script, a manifest), and as
  /// connect::Connector; a SchemaDrift names the lost column or table where NameDrift can tell it.
  virtual Result<connect::QueryResult> Query(const store::Source& source,
                                             const guard::Approved& approved,
                                             const connect::QueryLimits& limits,
                                             CallContext& ctx) = 0;
  /// Returns the engine's plan of an approved statement, without running it. Errors: as Query.
  virtual Result<connect::PlanEstimate> Explain(const store::Source& source,
                                                const guard::Approved& approved,
                                                CallContext& ctx) = 0;
  /// Registers a database and indexes it where it has no index yet; waits for it. Errors:
  /// EngineUnavailable where this access cannot; as the store, connect::Connector, index::Run.
  virtual Result<store::Source> Attach(const AttachSpec& /*spec*/, CallContext& /*ctx*/) {
    return Error(ErrorKind::EngineUnavailable, "databases cannot be attached here");
  }
};

/// Whether the source is a script or a manifest: it is indexed, and there is nothing to ask for
/// rows.
bool IsDescription(const store::Source& source);

/// Lifetime: everything referred to outlives the tools.
struct Services {
  store::Store& store;
  IndexWatch& watch;
  const retrieve::Searcher& searcher;
  const Clock& clock;
  SourceAccess& sources;
  semantic::ModelCache& models;
  const privacy::Policy&
      policy;  ///< for what is no source's; PolicyFor is what one source is under
  const patterns::Library& patterns;
  std::vector<std::string>
      served;  ///< names of the sources that may be spoken of; empty: all in the store
  /// The profile of a source where no policy file names one; team where this is empty.
  std::function<privacy::Profile(const store::Source&)> profile_of{};
  workspaces::Cloud* cloud = nullptr;    ///< the managed service; null: there is no client of it
  Explorations* explorations = nullptr;  ///< null: there are none
  privacy::CallerPolicy caller{};        ///< of one call; nothing is kept back where it is empty

  /// These services as the caller of one call may use them.
  Services For(const CallContext& ctx) const;
  privacy::Policy PolicyFor(const store::Source& source) const;
  guard::Guard GuardFor(const store::Source& source) const;
  /// True when the source may be spoken of.
  bool IsServed(const store::Source& source) const {
    return served.empty() || std::find(served.begin(), served.end(), source.name) != served.end();
  }
  /// True when the caller may know of the table.
  bool MaySee(std::string_view schema, std::string_view table) const {
    return caller.OfTable(schema, table) == privacy::Access::Allowed;
  }
};

}  // namespace schemaward::tools
