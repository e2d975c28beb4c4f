// schemaward import: definitions of other programs, into the store or into files.

#include <array>
#include <fstream>

#include <fmt/format.h>

#include "cli/output.h"
#include "cli/verbs.h"
#include "cli/where.h"
#include "interchange/cube.h"
#include "interchange/keep.h"
#include "interchange/metricflow.h"
#include "interchange/ossie.h"
#include "json/value.h"
#include "json/write.h"
#include "semantic/files.h"

namespace schemaward::cli {
namespace {

using interchange::Imported;
using interchange::Kept;
using interchange::Loss;

constexpr std::size_t kLossesShown = 100;

Result<Imported> FromDbt(const std::string& path) { return interchange::ImportDbtTarget(path); }

Result<Imported> FromMetricFlow(const std::string& path) {
  WARD_TRY(const auto files, interchange::ReadPath(path));
  return interchange::ImportMetricFlow(files);
}

Result<Imported> FromOssie(const std::string& path) {
  WARD_TRY(const auto files, interchange::ReadPath(path));
  return interchange::ImportOssie(files);
}

Result<Imported> FromCube(const std::string& path) {
  WARD_TRY(const auto files, interchange::ReadPath(path));
  return interchange::ImportCube(files);
}

struct Format {
  std::string_view word;
  Result<Imported> (*read)(const std::string& path);
};
constexpr std::array kFormats = {Format{"dbt", FromDbt}, Format{"metricflow", FromMetricFlow},
                                 Format{"ossie", FromOssie}, Format{"cube", FromCube}};

Result<Imported> Read(const std::string& format, const std::string& path) {
  for (const Format& one : kFormats)
    if (one.word == format) return one.read(path);
  std::string words;
  for (const Format& one : kFormats) words += (words.empty() ? "" : ", ") + std::string(one.word);
  return std::move(
      Error(ErrorKind::InvalidArgument, fmt::format("no format is called \"{}\"", format))
          .Hint("There are " + words + "."));
}

template <class List>
void AddNames(std::string_view kind, const List& list, std::vector<std::string>& names) {
  for (const auto& one : list) names.push_back(fmt::format("{} {}", kind, one.name));
}

Result<Kept> WriteFiles(const CommandLine& line, Imported imported) {
  Kept kept;
  kept.losses = std::move(imported.losses);
  AddNames("entity", imported.definitions.entities, kept.added);
  AddNames("join", imported.definitions.joins, kept.added);
  AddNames("metric", imported.definitions.metrics, kept.added);
  if (line.dry_run) return kept;
  WARD_TRY(const std::size_t written,
           semantic::WriteFolder(*line.out, imported.definitions, line.force));
  (void)written;
  return kept;
}

Result<Kept> Carry(const CommandLine& line, app::Application& app) {
  WARD_TRY(Imported imported, Read(line.arguments[0], line.arguments[1]));
  if (line.out) return WriteFiles(line, std::move(imported));
  WARD_TRY(const Where where, FindWhere(line, app));
  return interchange::Keep(*where.store, where.source, std::move(imported),
                           {.force = line.force, .dry_run = line.dry_run});
}

std::string NamesJson(const std::vector<std::string>& names) {
  std::string out = "[";
  for (const std::string& name : names) out += (out.size() > 1 ? "," : "") + json::Quote(name);
  return out + "]";
}

std::string ReportJson(const Kept& kept) {
  return "{\"added\":" + NamesJson(kept.added) + ",\"changed\":" + NamesJson(kept.changed) +
         ",\"unchanged\":" + NamesJson(kept.unchanged) + ",\"lost\":" + json::Write(kept.losses) +
         "}";
}

void PrintReport(const Kept& kept) {
  std::vector<std::vector<std::string>> rows = {{"", "OBJECT", "PART", "WHY"}};
  const auto add = [&](const char* what, const std::vector<std::string>& names) {
    for (const std::string& name : names) rows.push_back({what, name, "", ""});
  };
  add("added", kept.added);
  add("changed", kept.changed);
  std::size_t shown = 0;
  for (const Loss& loss : kept.losses)
    if (++shown <= kLossesShown)
      rows.push_back({loss.dropped ? "left out" : "lost", loss.object, loss.member, loss.reason});
  if (rows.size() > 1) PrintTable(rows);
  if (kept.losses.size() > kLossesShown)
    PrintWords(fmt::format("{} more could not be carried; --report FILE or --json has all",
                           kept.losses.size() - kLossesShown));
  PrintWords(fmt::format("{} added, {} changed, {} unchanged, {} could not be carried",
                         kept.added.size(), kept.changed.size(), kept.unchanged.size(),
                         kept.losses.size()));
  if (rows.size() == 1 && kept.unchanged.empty())
    PrintWords("Nothing of that format was found; is it the right PATH?");
}

Status WriteReport(const std::string& path, const Kept& kept) {
  return path.empty() ? Ok() : WriteOutput(path, ReportJson(kept) + "\n", true);
}

int RunImport(const CommandLine& line, app::Application& app) {
  const auto kept = Carry(line, app);
  if (!kept) return PrintError(kept.error());
  if (const auto written = WriteReport(line.report, *kept); !written)
    return PrintError(written.error());
  if (line.json)
    PrintLine(ReportJson(*kept));
  else
    PrintReport(*kept);
  return line.strict && !kept->losses.empty() ? kNo : kDone;
}

}  // namespace

void AddImport(Syntax& program, CommandLine& line) {
  Syntax verb = program.Verb("import", "Take over entities, joins and metrics of another program",
                             "  schemaward import dbt ./target\n"
                             "  schemaward import metricflow ./models --source shop --dry-run\n"
                             "  schemaward import dbt ./target --out ./definitions",
                             RunImport);
  verb.Source("Source that the definitions belong to; the only one where absent");
  verb.Words("FORMAT PATH", {.least = 2, .most = 2},
             "dbt and its target folder; metricflow, ossie or cube and a file or folder");
  verb.Text("--out", "DIR", line.out, "Write YAML files to this folder instead of into the store");
  verb.Flag("--dry-run", line.dry_run, "Print what would be carried and what not");
  verb.Flag("--force", line.force, "Replace definitions or files of the same name");
  verb.Flag("--strict", line.strict, "Exit code 1 where something could not be carried");
  verb.Text("--report", "FILE", line.report, "Write the whole report as JSON");
}

}  // namespace schemaward::cli
