#pragma once

// Application: builds and owns every object. The only module that names concrete classes.

#include <memory>
#include <string>
#include <vector>

#include "app/config.h"
#include "audit/log.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "connect/registry.h"
#include "connect/source_spec.h"
#include "llm/embedder.h"
#include "privacy/policy.h"
#include "retrieve/search.h"
#include "store/store.h"

namespace schemaward::app {

/// Version of the program, as CMake has it.
std::string_view Version();

/// Makes the folder of the store where it is absent, 0700 and with a .gitignore of "*". Errors:
/// StoreUnusable.
Status EnsureStateFolder(const std::string& store_path);

/// What every verb needs. Nothing is opened before it is asked for. Thread: any, but for Store and
/// AddSource (owner).
class Application {
 public:
  explicit Application(Config config);

  const Config& config() const { return config_; }
  const Clock& clock() const { return clock_; }
  connect::Registry& engines() { return engines_; }
  const retrieve::Searcher& searcher() const { return searcher_; }
  /// The embedder that the configuration names, or null.
  const std::shared_ptr<llm::Embedder>& embedder() const { return embedder_; }

  /// Returns the store, opened at the first call; with `create`, its folder and file are made where
  /// they are absent: a folder made here is 0700 and holds a .gitignore of "*". Errors:
  /// StoreUnusable, StoreLocked, DiskFull.
  Result<store::Store*> Store(bool create);

  /// Registers what SOURCE names, and keeps a secret inside it for this run. Errors: as
  /// connect::ParseSource and store::PutSource.
  Result<store::Source> AddSource(const std::string& text, const std::optional<std::string>& name);

  /// Keeps the secret of a source for this run, in place of what its reference says. Thread: any.
  void KeepSecret(std::int64_t source_id, const std::string& secret);

  /// Returns what KeepSecret and AddSource kept for a source, or "". Thread: any.
  std::string KeptSecret(std::int64_t source_id);

  /// Opens a session with a source; its secret is resolved now. Errors: MissingCredential,
  /// EngineUnavailable, and as Engine::Open. Thread: any.
  Result<std::unique_ptr<connect::Connector>> Connect(const store::Source& source,
                                                      CallContext& ctx);

  /// Returns a context for work that the command line starts itself.
  CallContext CommandContext() const;

 private:
  Config config_;
  SystemClock clock_;
  connect::Registry engines_;
  std::shared_ptr<llm::Embedder> embedder_;  // shared with the searcher
  retrieve::Searcher searcher_;
  std::unique_ptr<store::Store> store_;
  Mutex mutex_;
  std::map<std::int64_t, std::string> session_secrets_
      GUARDED_BY(mutex_);  ///< by source; never leave this run
};

/// Returns the sets that `text` names: default is catalog, semantic and (on stdio) sql. Errors:
/// InvalidArgument naming the nearest set.
Result<std::vector<std::string>> ParseToolSets(const std::string& text, bool on_stdio);

/// Opens the audit log as the configuration says. `tools_text`: what the tools_hash is of.
Result<std::unique_ptr<audit::Log>> OpenAudit(const Application& application,
                                              std::string_view tools_text,
                                              const privacy::Policy& policy);

}  // namespace schemaward::app
