// schemaward serve: the tools behind an MCP client, on standard input and output or over HTTP.

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "app/change_watch.h"
#include "app/http_scopes.h"
#include "app/notices.h"
#include "app/refresh_child.h"
#include "app/server.h"
#include "base/log.h"
#include "base/thread_pool.h"
#include "cli/output.h"
#include "cli/serve_http.h"
#include "cli/verbs.h"
#include "cli/where.h"
#include "json/value.h"
#include "mcp/server.h"
#include "transport/stdio.h"

namespace schemaward::cli {
namespace {

/// What the words after `serve` mean.
struct Served {
  std::vector<std::string> names;
  std::vector<store::Source> to_build;  ///< not indexed yet
};

// True where a word can be nothing but the name of a source: it is no address and no path.
bool IsPlainName(const std::string& word) {
  std::error_code ignored;
  return word.find_first_of(":/=.") == std::string::npos && !std::filesystem::exists(word, ignored);
}

// A word is the name of a source in the store, else a SOURCE.
Status AddServed(app::Application& app, const std::string& word, Served& served) {
  WARD_TRY(store::Store * store, app.Store(true));
  WARD_TRY(auto source, store->FindSource(word));
  if (!source && IsPlainName(word))
    return Error(ErrorKind::UnknownSource, fmt::format("no source is named \"{}\"", word))
        .Hint("Run `schemaward sources` to see them, or give a SOURCE: postgres://..., a path...");
  if (!source) {
    WARD_TRY(source, app.AddSource(word, std::nullopt));
  }
  served.names.push_back(source->name);
  if (source->generation == 0) served.to_build.push_back(*std::move(source));
  return Ok();
}

// Sources of the configuration file are registered too; a name that is given there stands.
Status AddConfigured(app::Application& app, Served& served) {
  for (const app::ConfiguredSource& configured : app.config().sources()) {
    const auto name = configured.name.empty() ? std::nullopt : std::optional(configured.name);
    WARD_TRY(store::Source source, app.AddSource(configured.source, name));
    served.names.push_back(source.name);
    if (source.generation == 0) served.to_build.push_back(std::move(source));
  }
  return Ok();
}

Result<Served> Resolve(const CommandLine& line, app::Application& app) {
  Served served;
  for (const std::string& word : line.arguments) WARD_CHECK(AddServed(app, word, served));
  if (line.arguments.empty()) WARD_CHECK(AddConfigured(app, served));
  // Without words, everything in the store is served, what the configuration names included.
  if (line.arguments.empty()) served.names.clear();
  return served;
}

// A person who starts serve on a terminal sees that it waits, and how to wire a client. [R-CLI-2]
void TellPerson(const CommandLine& line, const app::Application& app) {
  std::string args = "\"serve\"";
  for (const std::string& word : line.arguments) args += ", " + json::Quote(MaskSecrets(word));
  args += ", \"--store\", " + json::Quote(app.config().store_path());
  PrintWords(
      "schemaward waits for an MCP client on standard input; end it with Ctrl-D. To wire a client, "
      "put this into its configuration:");
  PrintWords(fmt::format(R"({{"mcpServers": {{"schemaward": {{"command": {}, "args": [{}]}}}}}})",
                         json::Quote(ProgramPath()), args));
}

Result<std::unique_ptr<transport::Transport>> OpenStdio(const app::Application& app) {
  WARD_TRY(auto stdio,
           transport::Stdio::Open({.principal = {.id = app.CommandContext().principal.id,
                                                 .client = {},
                                                 .transport = "stdio",
                                                 .scopes = {},
                                                 .claims = app.config().claims()}}));
  return std::unique_ptr<transport::Transport>(std::move(stdio));
}

// A transport of one kind or the other, what to say when it is ready, and what the tools need of
// whoever calls over it.
struct Opened {
  std::unique_ptr<transport::Transport> transport;
  std::function<void()> tell;
  tool::ToolScopes scopes;
};

Result<Opened> Open(const CommandLine& line, const app::Application& app,
                    const tool::CallMetrics& metrics, const HealthOf& health) {
  if (!line.http) {
    const bool person = ::isatty(STDIN_FILENO) == 1;
    WARD_TRY(auto stdio, OpenStdio(app));
    return Opened{std::move(stdio),
                  [&line, &app, person] {
                    if (person) TellPerson(line, app);
                  },
                  {}};
  }
  WARD_TRY(tool::ToolScopes scopes, app::ReadToolScopes(app.config()));
  WARD_TRY(auto http, OpenHttp(app, *line.http, scopes, metrics, health));
  const transport::HttpServer& server = *http;
  return Opened{std::move(http),
                [&line, &app, &server] { TellAddress(app.config(), *line.http, server); },
                std::move(scopes)};
}

// A pipe has one caller, and its client's own bounds.
std::size_t CallsPerPrincipal(const CommandLine& line, const app::Application& app) {
  return line.http ? static_cast<std::size_t>(app.config().GetInt("http.calls_per_principal")) : 0;
}

mcp::LogMessage MessageOf(const app::Notice& notice) {
  auto level = mcp::LogLevel::Info;
  if (notice.level == log::Level::Warn) level = mcp::LogLevel::Warning;
  if (notice.level == log::Level::Error) level = mcp::LogLevel::Error;
  return {level, std::string(notice.event), std::string(notice.text)};
}

// What is looked for in the store, and whom it is told. Lifetime: both outlive it.
app::ChangeWatch::Options WatchFor(const app::ToolServer& tools, mcp::Server& server) {
  return {
      .hearing =
          [&server] {
            const mcp::Hearing hearing = server.hearing();
            return app::Hearing{hearing.changes, hearing.log};
          },
      .look = [&tools] { return app::LookAt(tools.services().store, tools.services().served); },
      .changed = [&server](const std::set<std::string>& sources) { server.Tell({sources}); },
      .health =
          [&tools](const std::vector<store::Source>* sources) { return tools.HealthWith(sources); },
      .tell = [&server](const app::Notice& notice) { server.Log(MessageOf(notice)); }};
}

int RunServe(const CommandLine& line, app::Application& app) {
  const bool on_stdio = !line.http;
  auto sets = app::ParseToolSets(app.config().Get("tools"), on_stdio);
  if (!sets) return PrintError(sets.error());
  auto served = Resolve(line, app);
  if (!served) return PrintError(served.error());
  tool::CallMetrics metrics;
  HealthOf health;
  auto opened = Open(line, app, metrics, health);
  if (!opened) return PrintError(opened.error());
  auto tools = app::ToolServer::Create(app, {.sets = *sets,
                                             .served = served->names,
                                             .watch = true,
                                             .refresh_program = std::string(app::kThisProgram),
                                             .on_stdio = on_stdio,
                                             .scopes = std::move(opened->scopes),
                                             .metrics = on_stdio ? nullptr : &metrics});
  if (!tools) return PrintError(tools.error());
  health = [&tools] { return (*tools)->CurrentHealth(); };
  opened->tell();
  for (const store::Source& source : served->to_build) (*tools)->BuildInBackground(source);

  ThreadPool pool({.threads = static_cast<std::size_t>(app.config().GetInt("limits.workers"))});
  std::unique_ptr<app::ChangeWatch> watch;
  mcp::Server server((*tools)->invoker(), pool, app.clock(),
                     {.version = std::string(app::Version()),
                      .instructions = [&] { return (*tools)->Instructions(); },
                      .names = &(*tools)->names(),
                      .when_listened_to = [&watch] { watch->Begin(); },
                      .calls_per_principal = CallsPerPrincipal(line, app),
                      .conformance_fixtures = line.conformance_fixtures});
  watch = std::make_unique<app::ChangeWatch>(WatchFor(**tools, server));
  const auto ending = opened->transport->Run(server);
  watch->Stop();
  server.Leave();
  // A call that will not stop is not waited for: the process ends all the same, and the audit log
  // keeps a begin without an end.
  if (server.HasLeftovers()) ::_exit(kDone);
  if (on_stdio) {
    pool.Stop();
  } else {
    StopOrLeave(pool);
  }
  if (!ending) return PrintError(ending.error());
  return kDone;
}

}  // namespace

void AddServe(Syntax& program, CommandLine& line) {
  Syntax verb = program.Verb(
      "serve",
      "Serve the index to an MCP client on standard input and output, or to many over HTTP",
      "  schemaward serve\n"
      "  schemaward serve ./shop.db\n"
      "  schemaward serve shop --tools catalog\n"
      "  schemaward serve shop --http 127.0.0.1:8080",
      RunServe);
  verb.Words("SOURCE", {.most = kAnyNumber, .needed = false},
             "Names of indexed sources, or SOURCEs that are indexed in the background; all where "
             "absent");
  verb.PolicyFile();
  verb.Setting("--tools", "tools", "SETS",
               "Sets of tools: catalog, semantic, sql, patterns, explore, workspaces; "
               "default,explore adds");
  verb.Setting("--refresh", "refresh", "on|off", "Notice change in the sources and index again");
  verb.Setting("--query-log", "suggest.query_log", "on|off",
               "Read the databases' own query logs where they may be");
  verb.Setting("--embed", "embed.model", "MODEL",
               "Search by meaning too, by this embedder: the one that the index used");
  verb.Setting("--audit", "audit.mode", "MODE",
               "The audit log: required (what cannot be recorded is refused), best-effort or off");
  verb.Text("--http", "ADDR:PORT", line.http,
            "Serve many clients over HTTP instead; port 0 takes a free one; beyond this machine "
            "only with http.tokens or http.oauth");
  verb.Flag("--conformance-fixtures", line.conformance_fixtures,
            "Serve the tools of the protocol's conformance suite in place of ours");
}

}  // namespace schemaward::cli
