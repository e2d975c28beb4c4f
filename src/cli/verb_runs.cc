// schemaward runs list | show | resume | cancel | export: explorations that are kept.

#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/runs.h"
#include "base/cut.h"
#include "cli/exploring.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "explore/limits.h"
#include "explore/report.h"
#include "explore/run_store.h"

namespace schemaward::cli {
namespace {

constexpr std::int64_t kListDefault = 20;
constexpr std::size_t kQuestionShown = 60;  // bytes

explore::RunStore Runs(const app::Application& app) {
  return explore::RunStore(explore::RunsPath(app.config().store_path()), app.clock());
}

/// A run, its steps and its claims.
struct Kept {
  explore::RunRecord run;
  std::vector<explore::Step> steps;
  std::vector<std::string> claims;
};

Result<explore::RunRecord> FindRun(explore::RunStore& runs, const std::string& id) {
  WARD_TRY(auto run, runs.Find(id));
  if (run) return *std::move(run);
  return explore::NoSuchRun(id).Hint("Run `schemaward runs list` to see them.");
}

Result<Kept> FindKept(explore::RunStore& runs, const std::string& id) {
  Kept kept;
  WARD_TRY(kept.run, FindRun(runs, id));
  WARD_TRY(kept.steps, runs.Steps(id));
  WARD_TRY(kept.claims, runs.Claims(id));
  return kept;
}

std::vector<std::string> RowOf(const explore::RunRecord& run) {
  return {run.id,
          ToIsoUtc(run.started_us).substr(0, 19),
          run.status,
          run.source,
          fmt::format("{}/{}", run.steps, run.limits.steps_max),
          llm::ShowUsd(explore::CostOf(run)),
          CutText(run.question, kQuestionShown)};
}

// What the flags of this call change of a run that goes on.
Status Change(const CommandLine& line, explore::RunRecord& run) {
  if (!line.model.empty()) run.model = line.model;
  if (line.steps_max > 0) run.limits.steps_max = line.steps_max;
  if (line.max_cost) {
    WARD_TRY(run.cost_max, app::ParseUsd(*line.max_cost));
  }
  if (run.limits.steps_max < run.steps)
    return Error(ErrorKind::InvalidArgument,
                 fmt::format("run {} has {} steps already", run.id, run.steps));
  return explore::CheckLimits(run.limits);
}

Result<Exploring> Prepare(const CommandLine& line, app::Application& app, explore::RunStore& runs) {
  const std::string& id = line.arguments.front();
  WARD_TRY(explore::RunRecord run, FindRun(runs, id));
  WARD_CHECK(Change(line, run));
  WARD_TRY(store::Store * store, app.Store(false));
  WARD_TRY(auto source, store->FindSource(run.source));
  if (!source)
    return Error(ErrorKind::UnknownSource,
                 fmt::format("the source \"{}\" of the run is not in the store", run.source));
  Exploring what;
  what.source = *std::move(source);
  WARD_TRY(what.model, app::ModelOf(app, run));
  what.begin = [&line, &runs, id]() -> Result<explore::RunRecord> {
    WARD_TRY(explore::RunRecord taken, runs.TakeOver(id));
    WARD_CHECK(Change(line, taken));
    WARD_CHECK(runs.Save(taken));
    return taken;
  };
  return what;
}

std::string ReportOf(const std::string& format, const Kept& kept) {
  if (format == "html") return explore::HtmlReport(kept.run, kept.steps, kept.claims);
  if (format == "json") return explore::JsonReport(kept.run, kept.steps, kept.claims) + "\n";
  return explore::MarkdownReport(kept.run, kept.steps, kept.claims);
}

int RunRunsList(const CommandLine& line, app::Application& app) {
  explore::RunStore store = Runs(app);
  const std::int64_t limit = line.runs_limit > 0 ? line.runs_limit : kListDefault;
  const auto runs = store.List(static_cast<std::size_t>(limit) + 1);
  if (!runs) return PrintError(runs.error());
  const bool is_cut = runs->size() > static_cast<std::size_t>(limit);
  const std::size_t shown = is_cut ? static_cast<std::size_t>(limit) : runs->size();
  std::vector<std::vector<std::string>> rows = {
      {"RUN", "STARTED", "STATUS", "SOURCE", "STEPS", "USD", "QUESTION"}};
  std::string list;
  for (std::size_t i = 0; i < shown; ++i) {
    rows.push_back(RowOf((*runs)[i]));
    list += (list.empty() ? "" : ",") + explore::RunJson((*runs)[i]);
  }
  if (line.json) {
    PrintLine(fmt::format(R"({{"runs":[{}],"truncated":{}}})", list, is_cut));
    return kDone;
  }
  PrintTable(rows);
  if (is_cut) PrintWords("There are more: ask with --limit.");
  return kDone;
}

int RunRunsShow(const CommandLine& line, app::Application& app) {
  explore::RunStore store = Runs(app);
  const auto kept = FindKept(store, line.arguments.front());
  if (!kept) return PrintError(kept.error());
  if (line.json) {
    PrintLine(explore::JsonReport(kept->run, kept->steps, kept->claims));
    return kDone;
  }
  PrintLine(explore::TextReport(kept->run, kept->steps));
  return kDone;
}

int RunRunsResume(const CommandLine& line, app::Application& app) {
  const StopSignal stop;
  explore::RunStore runs = Runs(app);
  const auto what = Prepare(line, app, runs);
  if (!what) return PrintError(what.error());
  return DriveRun(line, app, runs, *what, stop);
}

int RunRunsCancel(const CommandLine& line, app::Application& app) {
  explore::RunStore store = Runs(app);
  const auto run = FindRun(store, line.arguments.front());
  if (!run) return PrintError(run.error());
  const auto is_cancelled = store.Cancel(run->id);
  if (!is_cancelled) return PrintError(is_cancelled.error());
  PrintWords(*is_cancelled ? fmt::format("{} is cancelled", run->id)
                           : fmt::format("{} is over: {}", run->id, run->status));
  return *is_cancelled ? kDone : kNo;
}

int RunRunsExport(const CommandLine& line, app::Application& app) {
  explore::RunStore store = Runs(app);
  const auto kept = FindKept(store, line.arguments.front());
  if (!kept) return PrintError(kept.error());
  const std::string text = ReportOf(line.run_format, *kept);
  if (!line.out) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return kDone;
  }
  const Status written = WriteOutput(*line.out, text, line.force);
  return written ? kDone : PrintError(written.error());
}

}  // namespace

void AddRuns(Syntax& program, CommandLine& line) {
  Syntax runs =
      program.Group("runs", "Look after explorations that are kept", "  schemaward runs list");
  runs.Verb("list", "Print the latest runs", "  schemaward runs list --limit 50 --json",
            RunRunsList)
      .Number("--limit", "N", {1, explore::kRunsKeptMax}, line.runs_limit,
              "Most runs; 20 by default");
  const auto of_one = [&](const std::string& name, const std::string& does,
                          const std::string& example, RunVerb run) {
    Syntax verb = runs.Verb(name, does, "  schemaward runs " + example, run);
    verb.Words("ID", {}, "The run, as `runs list` names it");
    return verb;
  };
  of_one("show", "Print a run: its budgets, its steps and how it stands",
         "show run_0123456789abcdef", RunRunsShow);
  Syntax resume =
      of_one("resume", "Take up a run that broke off or was stopped; no query runs again",
             "resume run_0123456789abcdef --max-cost 5", RunRunsResume);
  resume.PolicyFile();
  resume.Model("Another model than the run had");
  resume.MaxSteps();
  of_one("cancel", "End a run for good; whoever drives it stops before its next step",
         "cancel run_0123456789abcdef", RunRunsCancel);
  Syntax write =
      of_one("export", "Print a run as a report",
             "export run_0123456789abcdef --format html --out report.html", RunRunsExport);
  write.Choice("--format", {"markdown", "html", "json"}, line.run_format,
               "markdown (where absent), html or json");
  write.Text("--out", "FILE", line.out, "Write it to this file instead");
  write.Flag("--force", line.force, "Write over a file that is there");
}

}  // namespace schemaward::cli
