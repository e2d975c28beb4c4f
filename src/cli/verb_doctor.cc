// schemaward doctor: checks store, sources, secrets, engines, the audit log and the wiring of
// clients, and says what to do.

#include <chrono>
#include <filesystem>

#include <fmt/format.h>

#include "app/http_tls.h"
#include "app/models.h"
#include "app/server.h"
#include "audit/keys.h"
#include "audit/verify.h"
#include "cli/check_wiring.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "connect/registry.h"
#include "connect/secret.h"
#include "json/fields.h"
#include "json/write.h"
#include "transport/lazy_http.h"

namespace schemaward::cli {
namespace {

constexpr std::chrono::seconds kSourceWait{10};  // for one source to answer

struct Finding {
  std::string check, state, what, advice;  // state: ok | note | fault
  void Bind(json::Fields& f) {
    f("check", check, "what was checked");
    f("state", state, "ok, note or fault");
    f("what", what, "what was found");
    f("advice", advice, "what to do", {.omit_empty = true});
  }
};

struct Report {
  std::vector<Finding> findings;
  bool ok = true;
  void Bind(json::Fields& f) {
    f("ok", ok, "nothing is at fault");
    f("findings", findings, "in the order in which they were checked");
  }
  void Add(std::string check, std::string state, std::string what, std::string advice = {}) {
    ok = ok && state != "fault";
    findings.push_back({std::move(check), std::move(state), std::move(what), std::move(advice)});
  }
};

std::string AdviceFor(const Error& error) {
  if (!error.hint().empty()) return error.hint();
  switch (error.row().fixer) {
    case Fixer::Environment:
      return "Check that the database runs and may be reached from here.";
    case Fixer::Policy:
      return "Ask whoever keeps the policy.";
    case Fixer::Caller:
    case Fixer::Bug:
      break;
  }
  return {};
}

void CheckEngines(app::Application& app, Report& report) {
  for (const connect::EngineInfo& engine : app.engines().List()) {
    const std::string check = "engine " + engine.name;
    switch (engine.state) {
      case connect::EngineState::Linked:
        report.Add(check, "ok", "part of the program");
        break;
      case connect::EngineState::Module: {
        const auto found = app.engines().Find(engine.name);
        if (found)
          report.Add(check, "ok", "module " + engine.module.string());
        else
          report.Add(check, "fault", found.error().message(), AdviceFor(found.error()));
        break;
      }
      case connect::EngineState::Absent:
        report.Add(check, "note", "its module is not installed",
                   "Install the module, or build it.");
        break;
    }
  }
}

void CheckSource(app::Application& app, const store::Source& source, Report& report) {
  const std::string check = "source " + source.name;
  CallContext ctx = app.CommandContext();
  ctx.deadline = Deadline::After(app.clock(), kSourceWait);
  auto connector = app.Connect(source, ctx);
  Status alive = connector ? (*connector)->Ping(ctx) : Status(connector.error());
  if (!alive) {
    report.Add(check, "fault", alive.error().message(), AdviceFor(alive.error()));
    return;
  }
  if (source.generation == 0) {
    report.Add(check, "note", "it answers, but is not indexed", "Run `schemaward index` for it.");
    return;
  }
  const auto fingerprint = (*connector)->Fingerprint(ctx);
  const bool fresh = fingerprint && *fingerprint == source.fingerprint;
  report.Add(check, fresh ? "ok" : "note",
             fmt::format("it answers; indexed at {}", ToIsoUtc(source.indexed_at_us)),
             fresh ? "" : "Its structure has changed: run `schemaward index` again.");
}

void CheckStore(app::Application& app, Report& report) {
  const auto store = app.Store(false);
  if (!store) {
    report.Add("store", "fault", store.error().message(), AdviceFor(store.error()));
    return;
  }
  const auto sources = (*store)->ListSources();
  if (!sources) {
    report.Add("store", "fault", sources.error().message(), AdviceFor(sources.error()));
    return;
  }
  report.Add("store", "ok",
             fmt::format("{} with {} sources", app.config().store_path(), sources->size()),
             sources->empty() ? "Run `schemaward index SOURCE`." : "");
  for (const store::Source& source : *sources) CheckSource(app, source, report);
}

void CheckAudit(app::Application& app, Report& report) {
  const std::string path = app.config().audit_path();
  if (app.config().Get("audit.mode") == "off") {
    report.Add("audit log", "note", "it is off", "Set audit.mode to required to record calls.");
    return;
  }
  if (const std::string& key = app.config().Get("audit.key"); !key.empty()) {
    const auto loaded = audit::SigningKey::Load(key, path);
    if (!loaded)
      report.Add("audit key", "fault", loaded.error().message(), AdviceFor(loaded.error()));
    else
      report.Add("audit key", "ok", "signs with the key " + loaded->key_id());
  }
  if (!audit::IsThere(path)) {
    report.Add("audit log", "ok", path + " will be made by the first call");
    return;
  }
  const auto verified = audit::Verify(path, {});
  if (!verified)
    report.Add("audit log", "fault", verified.error().message(), AdviceFor(verified.error()));
  else if (!verified->IsIntact())
    report.Add("audit log", "fault", "it was changed", "Run `schemaward audit verify --full`.");
  else
    report.Add("audit log", "ok", fmt::format("{} records, intact", verified->records));
}

void CheckTls(const app::Application& app, Report& report) {
  constexpr std::int64_t kSoonSeconds = std::int64_t{14} * 24 * 3'600;
  constexpr std::int64_t kMicros = 1'000'000;
  const auto files = app::ReadTlsFiles(app.config());
  if (!files) return report.Add("certificate", "fault", files.error().message());
  if (!*files) return;
  const auto facts = transport::TlsFactsOf(
      connect::ModuleFolders(connect::SystemEnvironment(), connect::BinaryFolder()), **files);
  if (!facts)
    return report.Add("certificate", "fault", facts.error().message(), AdviceFor(facts.error()));
  std::string names;
  for (const std::string& name : facts->names) names += (names.empty() ? "" : ", ") + name;
  const bool ends_soon = facts->good_until - app.clock().UnixMicros() / kMicros < kSoonSeconds;
  report.Add("certificate", ends_soon ? "note" : "ok",
             fmt::format("for {}; good until {}", names.empty() ? "no name" : names,
                         ToIsoUtc(facts->good_until * kMicros).substr(0, 10)),
             ends_soon ? "Renew it; a running server reads the new files by itself." : "");
}

void CheckModels(const app::Application& app, Report& report) {
  for (const app::ModelState& model :
       app::CheckModels(app.config(), connect::SystemEnvironment())) {
    const std::string check = "model " + model.name;
    if (model.fault)
      report.Add(check, "fault", model.fault->message(), AdviceFor(*model.fault));
    else if (model.has_price)
      report.Add(check, "ok", model.model + ", with a price; it was not asked");
    else
      report.Add(check, "note", model.model + ", without a price; it was not asked",
                 "A limit of money needs a price: see the setting llm.prices.");
  }
}

int RunDoctor(const CommandLine& line, app::Application& app) {
  Report report;
  report.Add("configuration", "ok",
             app.config().file().empty() ? "no file, defaults are in force" : app.config().file());
  CheckEngines(app, report);
  CheckStore(app, report);
  CheckAudit(app, report);
  CheckTls(app, report);
  CheckModels(app, report);
  CheckWiring(app, [&](std::string check, std::string state, std::string what, std::string advice) {
    report.Add(std::move(check), std::move(state), std::move(what), std::move(advice));
  });
  if (line.json) {
    PrintLine(json::Write(report));
  } else {
    std::vector<std::vector<std::string>> rows = {{"CHECK", "STATE", "WHAT", "ADVICE"}};
    for (const Finding& finding : report.findings)
      rows.push_back({finding.check, finding.state, finding.what, finding.advice});
    PrintTable(rows);
  }
  return report.ok ? kDone : kNo;
}

}  // namespace

void AddDoctor(Syntax& program, CommandLine& /*line*/) {
  program.Verb("doctor",
               "Check store, sources, secrets, engines and wired clients, and say what to do",
               "  schemaward doctor --json", RunDoctor);
}

}  // namespace schemaward::cli
