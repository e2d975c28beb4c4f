#pragma once

// What was typed, understood. [R-CLI-1]

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace schemaward::app {
class Application;
}

namespace schemaward::cli {

/// Exit codes. [R-CLI-2]
inline constexpr int kDone = 0;      ///< done
inline constexpr int kNo = 1;        ///< the answer is no: drift, mismatch, refused, findings
inline constexpr int kCouldNot = 2;  ///< usage, connection, store
inline constexpr int kCostCap = 3;   ///< a cost cap was reached

struct CommandLine;

/// Does what a verb is for; returns an exit code.
using RunVerb = int (*)(const CommandLine&, app::Application&);

struct CommandLine {
  RunVerb run = nullptr;  ///< of the verb that was typed; never null once parsed
  std::map<std::string, std::string> settings;  ///< by the configuration's key, and "config"
  std::vector<std::string> arguments;           ///< SOURCE..., or a tool and its arguments
  bool json = false;

  std::optional<std::string> name;    // index, init
  std::int64_t sample_rows = 0;       // index
  std::vector<std::string> schemas;   // index
  std::optional<std::string> http;    // serve
  bool conformance_fixtures = false;  // serve
  std::string questions;              // eval retrieval
  std::vector<std::string> models;    // eval agents
  std::string tasks, compare, keep;   // eval agents; files
  bool full = false;                  // audit verify
  std::optional<std::string> rename;  // sources
  std::optional<std::string> remove;  // sources
  std::optional<std::string>
      source;               // apply, diff, check, export, confirm, import, init, validate, review
  bool prune = false;       // apply
  bool dry_run = false;     // apply, import
  bool force = false;       // eval agents, export, import, packs export, packs import, runs export
  bool all = false;         // confirm, packs list
  bool no_suggest = false;  // index
  bool classify_content = false;   // index
  std::int64_t watch_seconds = 0;  // index
  std::optional<std::string> out;  // suggest, import, runs export
  std::string against;             // suggest
  std::string format = "yaml";     // export
  std::string report;              // import
  bool strict = false;             // import
  bool check_values = false;       // suggest
  std::string audit_tool, audit_status, audit_principal, audit_reason;  // audit list, tail
  std::int64_t audit_limit = 0;                                         // audit list, tail
  std::string public_key, checkpoints, proof;                           // audit verify
  std::int64_t audit_record = 0;                                        // audit prove
  std::optional<std::string> fixture;                                   // guard test
  std::optional<std::string> policy;                                    // guard test
  std::optional<std::string> engine;                                    // guard test, validate
  std::optional<std::string> dsn;                                       // guard test
  std::vector<std::string> queries;                                     // suggest
  std::string dialect;                                                  // review
  bool list_rules = false;                                              // review
  std::string review_format = "text";                                   // review
  std::string fail_on = "high";                                         // review
  bool forget_queries = false;                                          // suggest
  std::string model;                     // explore, index, suggest, runs resume
  std::optional<std::string> max_cost;   // eval agents, explore, index, suggest, runs resume
  bool enrich = false;                   // index
  std::int64_t enrich_tables = 100'000;  // index
  std::int64_t steps_max = 0;            // explore, runs resume; 0: as usual, as before
  std::int64_t steps_min = 0;            // explore
  std::string pack, category;            // explore
  bool no_verify = false;                // explore
  bool estimate = false;                 // explore
  std::int64_t window_tokens = 0;        // explore; 0: as configured
  std::int64_t runs_limit = 0;           // runs list
  std::string run_format = "markdown";   // runs export
  std::vector<std::string> clients;      // init
  bool yes = false;                      // init
  bool print = false;                    // init
  bool unwire = false;                   // init
};

/// What parsing came to: a command line, or an exit code after words were printed.
struct ParsedCommandLine {
  std::optional<CommandLine> line;
  int exit_code = kDone;
};

/// Reads argv; help, version and usage errors are printed here.
ParsedCommandLine ParseCommandLine(int argc, char** argv);

}  // namespace schemaward::cli
