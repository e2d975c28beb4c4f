#pragma once

// The tools with all they need, ready to be called: behind `schemaward call` and behind `schemaward
// serve`.

#include <memory>
#include <string>
#include <vector>

#include "app/application.h"
#include "app/health.h"
#include "json/value.h"
#include "tool/invoke.h"
#include "tool/registry.h"
#include "tools/services.h"

namespace schemaward::app {

struct ServerOptions {
  std::vector<std::string> sets;    ///< served sets of tools
  std::vector<std::string> served;  ///< names of the sources; empty: all
  bool watch = false;               ///< notice change and index in the background
  /// Program that does so for engines whose client is not loaded here; empty: this process does.
  std::string refresh_program{};
  bool on_stdio = true;                  ///< standard input and output, or the command line
  tool::ToolScopes scopes{};             ///< what tools need of callers over HTTP
  tool::CallMetrics* metrics = nullptr;  ///< where calls are counted, or null; outlives the server
};

/// Thread: any. Lifetime: the application outlives it.
class ToolServer {
 public:
  /// Errors: those of the store and of the audit log's options. An absent store is made, so that a
  /// server can be started before anything is indexed.
  static Result<std::unique_ptr<ToolServer>> Create(Application& application,
                                                    const ServerOptions& options);
  ~ToolServer();
  ToolServer(const ToolServer&) = delete;
  ToolServer& operator=(const ToolServer&) = delete;

  const tool::Invoker& invoker() const;
  const tool::Registry& registry() const;
  /// Makes the calls that list names: for resources and completion.
  const tool::Invoker& names() const;
  /// What the tools use; Services::For gives what one caller may.
  const tools::Services& services() const;

  /// What an agent is told first: sources, routes, rules; at most 2,048 characters. [R-MCP-1]
  std::string Instructions() const;

  /// How store, audit log, sources and pools stand now. Asks the store alone, briefly; an audit log
  /// that has failed tries its file again. Thread: any.
  Health CurrentHealth() const;
  /// The same for one who has just read the store. `sources`: all of them; null: it cannot be read.
  Health HealthWith(const std::vector<store::Source>* sources) const;

  /// Begins the first index of a source in the background.
  void BuildInBackground(const store::Source& source);

 private:
  struct Parts;
  explicit ToolServer(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

/// Returns the instructions for `sources`; pure.
std::string InstructionsFor(const std::vector<store::Source>& sources,
                            const tool::Registry& registry);

}  // namespace schemaward::app
