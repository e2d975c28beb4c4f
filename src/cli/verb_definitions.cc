// schemaward apply, diff, check, export, confirm: definitions between files and the store.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "cli/output.h"
#include "cli/verbs.h"
#include "cli/where.h"
#include "json/value.h"
#include "semantic/lifecycle.h"
#include "semantic/model_cache.h"

namespace schemaward::cli {
namespace {

using semantic::FileError;

constexpr std::size_t kShownMax = 50;
constexpr std::array<store::DefinitionKind, 3> kKinds = {
    store::DefinitionKind::Entity, store::DefinitionKind::Join, store::DefinitionKind::Metric};
constexpr std::string_view kConfirmHint =
    "Give a kind and names, as in `schemaward confirm metric net_revenue`; kinds are entity, join "
    "and metric.";

std::string ErrorJson(const FileError& error) {
  std::string out = "{\"file\":" + json::Quote(error.file) +
                    fmt::format(",\"line\":{},\"message\":", error.line) +
                    json::Quote(error.message) + ",\"near\":[";
  for (std::size_t i = 0; i < error.near.size(); ++i)
    out += (i > 0 ? "," : "") + json::Quote(error.near[i]);
  return out + "]}";
}

std::string ListJson(const std::vector<std::string>& names) {
  std::string out = "[";
  for (std::size_t i = 0; i < names.size(); ++i) out += (i > 0 ? "," : "") + json::Quote(names[i]);
  return out + "]";
}

void PrintDifference(const CommandLine& line, const semantic::ApplyPlan& plan) {
  const semantic::Difference& difference = plan.difference;
  if (line.json) {
    std::string errors;
    for (const FileError& error : plan.errors)
      errors += (errors.empty() ? "" : ",") + ErrorJson(error);
    PrintLine("{\"added\":" + ListJson(difference.added) + ",\"changed\":" +
              ListJson(difference.changed) + ",\"removed\":" + ListJson(difference.removed) +
              fmt::format(",\"unchanged\":{}", difference.unchanged.size()) + ",\"errors\":[" +
              errors + "]}");
    return;
  }
  for (const FileError& error : plan.errors) PrintWords(error.ToText());
  const auto print = [](const char* sign, const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < names.size() && i < kShownMax; ++i)
      PrintLine(fmt::format("{} {}", sign, names[i]));
    if (names.size() > kShownMax)
      PrintLine(fmt::format("{} and {} more", sign, names.size() - kShownMax));
  };
  print("+", difference.added);
  print("~", difference.changed);
  print("-", difference.removed);
  PrintWords(fmt::format("{} added, {} changed, {} removed, {} unchanged", difference.added.size(),
                         difference.changed.size(), difference.removed.size(),
                         difference.unchanged.size()));
}

void TellWhereNone(const semantic::ApplyPlan& plan) {
  if (plan.errors.empty() && !plan.difference.Any() && plan.difference.unchanged.empty())
    PrintWords(
        "The folder holds no definitions; they are looked for in entities/*.yaml, joins/*.yaml and "
        "metrics/*.yaml.");
}

Result<semantic::ApplyPlan> PlanOf(const CommandLine& line, const Where& where, bool prune) {
  WARD_TRY(const auto loaded, semantic::ReadFolder(line.arguments.front()));
  return semantic::PlanApply(*where.store, where.source, loaded, prune);
}

int RunApply(const CommandLine& line, app::Application& app) {
  const auto where = FindWhere(line, app);
  if (!where) return PrintError(where.error());
  const auto plan = PlanOf(line, *where, line.prune);
  if (!plan) return PrintError(plan.error());
  PrintDifference(line, *plan);
  if (!plan->errors.empty()) {
    PrintWords("Nothing was applied.");
    return kNo;
  }
  TellWhereNone(*plan);
  if (line.dry_run) return kDone;
  const auto changed = store::ChangeDefinitions(*where->store, where->source.id, plan->changes);
  return changed ? kDone : PrintError(changed.error());
}

int RunDiff(const CommandLine& line, app::Application& app) {
  const auto where = FindWhere(line, app);
  if (!where) return PrintError(where.error());
  const auto plan = PlanOf(line, *where, true);
  if (!plan) return PrintError(plan.error());
  PrintDifference(line, *plan);
  TellWhereNone(*plan);
  return plan->errors.empty() && !plan->difference.Any() ? kDone : kNo;
}

int RunCheck(const CommandLine& line, app::Application& app) {
  const auto where = FindWhere(line, app);
  if (!where) return PrintError(where.error());
  semantic::ModelCache models(*where->store);
  const auto model = models.Get(where->source);
  if (!model) return PrintError(model.error());
  const auto findings = (*model)->Findings();
  if (line.json) {
    std::string out = "{\"source\":" + json::Quote(where->source.name) + ",\"findings\":[";
    for (std::size_t i = 0; i < findings.size(); ++i)
      out += (i > 0 ? ",{" : "{") + ("\"definition\":" + json::Quote(findings[i].definition)) +
             ",\"member\":" + json::Quote(findings[i].problem.member) +
             ",\"object\":" + json::Quote(findings[i].problem.object) +
             ",\"message\":" + json::Quote(findings[i].problem.message) +
             ",\"near\":" + ListJson(findings[i].problem.near) + "}";
    PrintLine(out + "]}");
  } else {
    for (const auto& finding : findings)
      PrintLine(
          fmt::format("{}: {}{}", finding.definition, finding.problem.message,
                      finding.problem.near.empty()
                          ? ""
                          : fmt::format("; the nearest is \"{}\"", finding.problem.near.front())));
    PrintWords(findings.empty() ? fmt::format("{} entities, {} joins and {} metrics fit the index",
                                              (*model)->entities().size(), (*model)->joins().size(),
                                              (*model)->metrics().size())
                                : fmt::format("{} findings", findings.size()));
  }
  return findings.empty() ? kDone : kNo;
}

int RunExport(const CommandLine& line, app::Application& app) {
  const auto where = FindWhere(line, app);
  if (!where) return PrintError(where.error());
  if (line.format != "yaml") return ExportAs(line, *where);
  const auto definitions = semantic::LoadDefinitions(*where->store, where->source.id);
  if (!definitions) return PrintError(definitions.error());
  const auto written = semantic::WriteFolder(line.arguments.front(), *definitions, line.force);
  if (!written) return PrintError(written.error());
  PrintWords(fmt::format("{} files written", *written));
  return kDone;
}

int RunConfirm(const CommandLine& line, app::Application& app) {
  const auto where = FindWhere(line, app);
  if (!where) return PrintError(where.error());
  std::vector<std::string> names = line.arguments;
  const std::string kind = names.empty() ? "" : names.front();
  if (!names.empty()) names.erase(names.begin());
  if (!line.all && names.empty())
    return PrintError(Error(ErrorKind::InvalidArgument, "name what to confirm, or give --all")
                          .Hint(kConfirmHint));
  if (!kind.empty() && std::none_of(kKinds.begin(), kKinds.end(), [&](store::DefinitionKind each) {
        return semantic::WordOf(each) == kind;
      }))
    return PrintError(
        Error(ErrorKind::InvalidArgument, fmt::format("\"{}\" is no kind of definition", kind))
            .Hint(kConfirmHint));
  std::size_t count = 0;
  for (const auto each : kKinds) {
    const std::string_view word = semantic::WordOf(each);
    if (!kind.empty() && kind != word) continue;
    const auto confirmed = semantic::Confirm(*where->store, where->source.id, each,
                                             line.all ? std::vector<std::string>() : names);
    if (!confirmed) return PrintError(confirmed.error());
    count += *confirmed;
  }
  PrintWords(fmt::format("{} confirmed", count));
  return kDone;
}

Syntax Definition(Syntax& program, const std::string& name, const std::string& does,
                  const std::string& examples, RunVerb run) {
  Syntax verb = program.Verb(name, does, examples, run);
  verb.Source("Source that the definitions belong to; the only one where absent");
  return verb;
}

void Folder(Syntax& verb) { verb.Words("DIR", {}, "Folder with entities/, joins/ and metrics/"); }

void AddExport(Syntax& program, CommandLine& line) {
  Syntax verb = Definition(program, "export", "Write the definitions of the store as files",
                           "  schemaward export ./definitions --force\n"
                           "  schemaward export shop.json --format ossie\n"
                           "  schemaward export cubes.yml --format cube",
                           RunExport);
  Folder(verb);
  verb.Flag("--force", line.force, "Overwrite files that are there");
  verb.Choice("--format", {"yaml", "ossie", "cube", "metricflow"}, line.format,
              "yaml, or to one file: ossie, cube, metricflow");
}

void AddConfirm(Syntax& program, CommandLine& line) {
  Syntax verb = Definition(program, "confirm", "Say that definitions are right: they are then HIGH",
                           "  schemaward confirm metric net_revenue\n"
                           "  schemaward confirm join --all",
                           RunConfirm);
  verb.Words("KIND NAME", {.least = 0, .most = kAnyNumber, .needed = false},
             "entity, join or metric, then names");
  verb.Flag("--all", line.all, "All of the kind, or all there are");
}

}  // namespace

void AddDefinitions(Syntax& program, CommandLine& line) {
  Syntax apply =
      Definition(program, "apply", "Put entities, joins and metrics from files into the store",
                 "  schemaward apply ./definitions\n"
                 "  schemaward apply ./definitions --dry-run --json",
                 RunApply);
  Folder(apply);
  apply.Flag("--dry-run", line.dry_run, "Check and print what would change");
  apply.Flag("--prune", line.prune, "Remove applied definitions that no file holds");
  Syntax diff = Definition(program, "diff",
                           "Compare files with what is applied; exit code 1 where they differ",
                           "  schemaward diff ./definitions", RunDiff);
  Folder(diff);
  Definition(program, "check",
             "Check that applied definitions still fit the index; exit code 1 on drift",
             "  schemaward check --json", RunCheck);
  AddExport(program, line);
  AddConfirm(program, line);
}

}  // namespace schemaward::cli
