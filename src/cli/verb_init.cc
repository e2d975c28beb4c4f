// schemaward init: the server in the configuration files of MCP clients. Shows what would change,
// then asks.

#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "cli/output.h"
#include "cli/verbs.h"
#include "cli/where.h"
#include "cli/wired_clients.h"
#include "clients/client.h"
#include "clients/text_file.h"
#include "clients/wiring.h"
#include "connect/secret.h"
#include "json/fields.h"
#include "json/write.h"

namespace schemaward::cli {
namespace {

using clients::Client;

/// What becomes of one client's file.
struct Step {
  std::string client, title, file;
  std::string state;  ///< unchanged | pending | written | refused
  std::string diff, copy, reason, advice;
  void Bind(json::Fields& f) {
    f("client", client, "name, as --client takes it");
    f("title", title, "what people call it");
    f("file", file, "its configuration file");
    f("state", state, "unchanged, pending, written or refused");
    f("diff", diff, "lines that change", {.omit_empty = true});
    f("copy", copy, "what the file was before", {.omit_empty = true});
    f("reason", reason, "why it was refused", {.omit_empty = true});
    f("advice", advice, "what to do", {.omit_empty = true});
  }
};

struct Report {
  std::vector<Step> clients;
  void Bind(json::Fields& f) { f("clients", clients, "in the order of `init --help`"); }
  bool Has(std::string_view state) const {
    for (const Step& step : clients)
      if (step.state == state) return true;
    return false;
  }
};

/// A step with what it would write.
struct Plan {
  Step step;
  clients::TextFile was;
  std::string text;
};

void Refuse(Step& step, const Error& error) {
  step.state = "refused";
  step.reason = error.message();
  step.advice = error.hint().empty() ? "Mend the file, or add the entry of `schemaward init "
                                       "--print` by hand."
                                     : error.hint();
}

Status CheckName(const std::string& name) {
  if (IsEntryName(name)) return Ok();
  return Error(
      ErrorKind::InvalidArgument,
      fmt::format("a server's name is 1 to {} letters, digits, \"-\" and \"_\"", kEntryNameMax));
}

// Sources whose secret stands in a variable need that variable wherever the server is started.
void AddVariable(const store::Source& source, std::vector<std::string>& names) {
  const auto ref = connect::ParseSecretRef(source.secret_ref);
  if (ref && ref->kind == connect::SecretKind::Env) names.push_back(ref->text);
}

Result<clients::Entry> MakeEntry(const CommandLine& line, app::Application& app) {
  clients::Entry entry{.command = ProgramPath(), .args = {"serve"}};
  if (line.source) {
    WARD_TRY(const Where where, FindWhere(line, app));
    entry.args.push_back(where.source.name);
    AddVariable(where.source, entry.env_names);
  } else if (const auto store = app.Store(false); store) {
    WARD_TRY(const auto sources, (*store)->ListSources());
    for (const store::Source& source : sources) AddVariable(source, entry.env_names);
  } else if (app.config().sources().empty()) {
    return store.error();  // there is nothing to serve yet
  }
  entry.args.insert(entry.args.end(), {"--store", app.config().store_path()});
  if (!app.config().file().empty())
    entry.args.insert(entry.args.end(), {"--config", AbsolutePath(app.config().file())});
  return entry;
}

// Those that --client names, else those that are found.
Result<std::vector<const Client*>> Chosen(const CommandLine& line, const clients::Place& place) {
  std::vector<const Client*> chosen;
  for (const std::string& name : line.clients) {
    const Client* client = clients::FindClient(name);
    if (client == nullptr)
      return std::move(
          Error(ErrorKind::InvalidArgument, fmt::format("no client is named \"{}\"", name))
              .Hint("See `schemaward init --help` for their names."));
    chosen.push_back(client);
  }
  if (!chosen.empty()) return chosen;
  for (const Client& client : clients::AllClients())
    if (line.print || clients::IsInstalled(client, place)) chosen.push_back(&client);
  return chosen;
}

Plan MakePlan(const CommandLine& line, const Client& client, const clients::Place& place,
              const clients::Entry& entry) {
  Plan plan;
  plan.step = {std::string(client.name),
               std::string(client.title),
               FileOf(client, place),
               "unchanged",
               {},
               {},
               {},
               {}};
  auto was = clients::ReadTextFile(plan.step.file);
  if (!was) {
    Refuse(plan.step, was.error());
    return plan;
  }
  plan.was = *std::move(was);
  const std::string name = line.name.value_or(std::string(kEntryName));
  auto text = line.unwire ? clients::Unwire(client, plan.was.text, name)
                          : clients::Wire(client, plan.was.text, name, entry);
  if (!text) {
    Refuse(plan.step, text.error());
    return plan;
  }
  plan.text = *std::move(text);
  if (plan.text == plan.was.text) return plan;
  plan.step.state = "pending";
  plan.step.diff = clients::DiffLines(plan.was.text, plan.text);
  return plan;
}

void Write(Plan& plan) {
  if (plan.step.state != "pending") return;
  if (const auto done = clients::ReplaceTextFile(plan.was, plan.text); !done) {
    Refuse(plan.step, done.error());
    return;
  }
  plan.step.state = "written";
  if (plan.was.is_there) plan.step.copy = clients::BackupOf(plan.was);
}

void Show(const Step& step) {
  PrintLine(fmt::format("{}: {}", step.title, step.file));
  if (step.state == "unchanged") PrintLine("  nothing to change");
  if (step.state == "refused")
    PrintLine(fmt::format("  left alone: {}\n  {}", step.reason, step.advice));
  if (!step.diff.empty()) std::fwrite(step.diff.data(), 1, step.diff.size(), stdout);
}

// A client that cannot name variables gives the server its own environment or none at all.
void TellVariables(const Client& client, const clients::Entry& entry) {
  if (entry.env_names.empty() || !client.env_reference.empty()) return;
  PrintWords(fmt::format(
      "{} cannot pass on variables by name, and {} must not be written into its file: keep that "
      "secret where the server finds it by itself (docs/configuration.md), or set the variable "
      "for the client's whole session.",
      client.title, fmt::join(entry.env_names, ", ")));
}

bool AskPerson() {
  std::fputs("Write these changes? [y/N] ", stderr);
  std::fflush(stderr);
  char answer[16] = {};
  return std::fgets(answer, sizeof answer, stdin) != nullptr &&
         (answer[0] == 'y' || answer[0] == 'Y');
}

// True where the changes are to be written.
bool MayWrite(const CommandLine& line) {
  if (line.yes) return true;
  if (line.json || ::isatty(STDIN_FILENO) != 1) return false;
  return AskPerson();
}

int PrintEntries(const std::vector<const Client*>& chosen, const clients::Place& place,
                 const std::string& name, const clients::Entry& entry, bool as_json) {
  Report report;
  for (const Client* client : chosen) {
    const auto text = clients::Wire(*client, "", name, entry);
    if (!text) return PrintError(text.error());
    report.clients.push_back({std::string(client->name),
                              std::string(client->title),
                              FileOf(*client, place),
                              "pending",
                              *text,
                              {},
                              {},
                              {}});
    if (!as_json)
      PrintLine(fmt::format("{}: {}\n{}", client->title, FileOf(*client, place), *text));
  }
  if (as_json) PrintLine(json::Write(report));
  return kDone;
}

int Finish(const CommandLine& line, const Report& report) {
  if (line.json) PrintLine(json::Write(report));
  for (const Step& step : report.clients) {
    if (line.json || step.state == "unchanged" || step.state == "pending") continue;
    if (step.state == "refused") {
      PrintWords(fmt::format("{} was left alone: {}", step.title, step.reason));
      continue;
    }
    PrintWords(fmt::format("{} is {}; restart it.{}", step.title, line.unwire ? "unwired" : "wired",
                           step.copy.empty() ? "" : " What its file was is in " + step.copy));
  }
  if (report.Has("refused")) return kCouldNot;
  if (!report.Has("pending")) return kDone;
  PrintWords("Nothing was written; `schemaward init --yes` writes without asking.");
  return kNo;
}

int RunInit(const CommandLine& line, app::Application& app) {
  const std::string name = line.name.value_or(std::string(kEntryName));
  if (const auto good = CheckName(name); !good) return PrintError(good.error());
  const auto place = UserPlace();
  if (!place) return PrintError(place.error());
  clients::Entry entry;
  if (!line.unwire) {
    auto made = MakeEntry(line, app);
    if (!made) return PrintError(made.error());
    entry = *std::move(made);
  }
  const auto chosen = Chosen(line, *place);
  if (!chosen) return PrintError(chosen.error());
  if (line.print) return PrintEntries(*chosen, *place, name, entry, line.json);
  if (chosen->empty() && !line.json)
    PrintWords("No client was found; name one with --client, or see `schemaward init --print`.");

  std::vector<Plan> plans;
  Report report;
  for (const Client* client : *chosen) {
    plans.push_back(MakePlan(line, *client, *place, entry));
    if (!line.json) Show(plans.back().step);
    if (plans.back().step.state == "pending") TellVariables(*client, entry);
  }
  for (const Plan& plan : plans) report.clients.push_back(plan.step);
  if (report.Has("pending") && MayWrite(line)) {
    report.clients.clear();
    for (Plan& plan : plans) {
      Write(plan);
      report.clients.push_back(plan.step);
    }
  }
  return chosen->empty() ? kNo : Finish(line, report);
}

}  // namespace

void AddInit(Syntax& program, CommandLine& line) {
  Syntax verb = program.Verb(
      "init",
      "Put the server into the configuration of MCP clients: those that are found; shows what "
      "would change and asks",
      "  schemaward init\n"
      "  schemaward init --client cursor --client zed --source shop\n"
      "  schemaward init --yes --json\n"
      "  schemaward init --print --client codex\n"
      "  schemaward init --remove",
      RunInit);
  verb.Texts("--client", "NAME", line.clients,
             "claude-desktop, claude-code, cursor, windsurf, vscode, zed, codex or gemini; may be "
             "repeated");
  verb.Source("Serve this source only");
  verb.Text("--name", "NAME", line.name, "What clients call the server; schemaward where absent");
  verb.Flag("--yes", line.yes, "Write without asking");
  verb.Flag("--print", line.print, "Print what goes into each file; change nothing");
  verb.Flag("--remove", line.unwire, "Take the server out again");
}

}  // namespace schemaward::cli
