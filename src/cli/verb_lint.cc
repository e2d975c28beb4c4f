// schemaward lint: the served tools against the charter, levels 1 and 2. Level 2 calls each tool
// with its example, on a small index that is made for it.

#include <filesystem>
#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "app/server.h"
#include "cli/output.h"
#include "cli/scratch_folder.h"
#include "cli/verbs.h"
#include "explore/run_store.h"
#include "index/run.h"
#include "json/value.h"
#include "semantic/lifecycle.h"
#include "tool/lint.h"

namespace schemaward::cli {
namespace {

namespace fs = std::filesystem;

// The tables that the tools' examples speak of.
constexpr std::string_view kExampleSchema = R"(
CREATE TABLE customers (id integer PRIMARY KEY, name text NOT NULL, email text);
CREATE TABLE orders (id integer PRIMARY KEY, customer_id integer NOT NULL REFERENCES customers (id), placed_at timestamptz NOT NULL,
                     status text NOT NULL CHECK (status IN ('open', 'paid', 'shipped')), total numeric(12, 2) NOT NULL);
COMMENT ON TABLE orders IS 'One row per order';
)";

// The definitions that they speak of.
constexpr std::pair<const char*, const char*> kExampleDefinitions[] = {
    {"entity", "{name: customer, table: public.customers, identity: id}"},
    {"entity",
     "{name: order, table: public.orders, identity: id, default_time_dimension: placed_at}"},
    {"join", "{name: order_customer, from: order, to: customer, on: {customer_id: id}}"},
    {"metric", "{name: revenue, entity: order, aggregation: sum, column: total}"},
};

Status Define(store::Store& store, const std::string& name) {
  semantic::LoadedFiles loaded;
  for (const auto& [kind, text] : kExampleDefinitions)
    semantic::ReadFile(text, "example.yaml", kind, loaded);
  WARD_TRY(const auto source, store.FindSource(name));
  WARD_TRY(const auto plan, semantic::PlanApply(store, *source, loaded, false));
  if (!plan.errors.empty()) return Error(ErrorKind::Internal, plan.errors.front().ToText());
  return store::ChangeDefinitions(store, source->id, plan.changes);
}

// The run that the examples of the set explore speak of.
Status OpenExampleRun(const app::Application& application, const std::string& source,
                      const CallContext& ctx) {
  explore::RunStore runs(explore::RunsPath(application.config().store_path()), application.clock());
  explore::RunRecord run;
  run.id = "run_0000000000000000";
  run.driver = explore::Driver::Agent;
  run.principal = ctx.principal.id;
  run.source = source;
  run.question = "how do orders grow?";
  return runs.Create(run);
}

Result<std::vector<tool::LintFinding>> Lint(const app::Application& user) {
  WARD_TRY(const ScratchFolder folder, ScratchFolder::Make());
  const fs::path script = folder.path() / "example.sql";
  std::ofstream(script) << kExampleSchema;
  const std::string store = (folder.path() / "store.db").string();
  const auto nothing = [](const std::string&) { return std::optional<std::string>(); };
  WARD_TRY(app::Config config,
           app::Config::Load({{"store", store}, {"tools", user.config().Get("tools")}}, nothing,
                             folder.path().string()));
  app::Application application(std::move(config));
  WARD_TRY(const store::Source source,
           application.AddSource("ddl:" + script.string(), std::nullopt));
  CallContext ctx = application.CommandContext();
  WARD_TRY(const auto connector, application.Connect(source, ctx));
  WARD_TRY(store::Store * opened, application.Store(true));
  WARD_CHECK(index::Run(*connector, *opened, source, {}, ctx));
  WARD_CHECK(Define(*opened, source.name));
  WARD_TRY(const auto sets, app::ParseToolSets(application.config().Get("tools"), true));
  WARD_TRY(const auto server, app::ToolServer::Create(application, {.sets = sets, .served = {}}));
  WARD_CHECK(OpenExampleRun(application, source.name, ctx));
  return tool::LintAll(server->invoker(), application.config().Get("tools") == "default", ctx);
}

int RunLint(const CommandLine& line, app::Application& app) {
  const auto findings = Lint(app);
  if (!findings) return PrintError(findings.error());
  if (line.json) {
    std::string out = "{\"findings\":[";
    for (const tool::LintFinding& finding : *findings)
      out += (out.back() == '[' ? "" : ",") +
             fmt::format(R"({{"tool":{},"rule":{},"what":{}}})", json::Quote(finding.tool),
                         json::Quote(finding.rule), json::Quote(finding.what));
    PrintLine(out + "]}");
  } else {
    for (const tool::LintFinding& finding : *findings)
      PrintLine(fmt::format("{}: {}: {}", finding.tool.empty() ? "set" : finding.tool, finding.rule,
                            finding.what));
    PrintWords(findings->empty() ? "lint: nothing found"
                                 : fmt::format("lint: {} findings", findings->size()));
  }
  return findings->empty() ? kDone : kNo;
}

}  // namespace

void AddLint(Syntax& program, CommandLine& /*line*/) {
  program.Verb(
      "lint",
      "Check the served tools against the charter: descriptions, answers, the subset that clients "
      "accept",
      "  schemaward lint", RunLint);
}

}  // namespace schemaward::cli
