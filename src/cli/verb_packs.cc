// schemaward packs: the domain packs that there are, looked at, checked, written out and taken
// over.

#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/driving.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "json/value.h"
#include "packs/library.h"

namespace schemaward::cli {
namespace {

using packs::FoundPack;
using packs::LoadedPack;
using packs::Pack;

std::string AreaJson(const packs::Area& area) {
  std::string words;
  for (const std::string& word : area.keywords)
    words += (words.empty() ? "" : ",") + json::Quote(word);
  return fmt::format(
      R"({{"id":{},"name":{},"description":{},"priority":{},"category":{},"keywords":[{}]}})",
      json::Quote(area.id), json::Quote(area.name), json::Quote(area.description), area.priority,
      area.category.empty() ? "null" : json::Quote(area.category), words);
}

std::string PackJson(const Pack& pack, bool is_built_in) {
  std::string categories;
  for (const packs::Category& category : pack.categories)
    categories += fmt::format(R"({}{{"id":{},"name":{}}})", categories.empty() ? "" : ",",
                              json::Quote(category.id), json::Quote(category.name));
  std::string areas;
  for (const packs::Area& area : pack.areas) areas += (areas.empty() ? "" : ",") + AreaJson(area);
  return fmt::format(
      R"({{"id":{},"name":{},"description":{},"version":{},"built_in":{},"hidden":{},"categories":[{}],"areas":[{}]}})",
      json::Quote(pack.id), json::Quote(pack.name), json::Quote(pack.description),
      json::Quote(pack.version), is_built_in, pack.is_hidden, categories, areas);
}

std::string FaultsJson(const LoadedPack& loaded) {
  std::string list;
  for (const packs::PackFault& fault : loaded.faults)
    list += fmt::format(R"({}{{"file":{},"line":{},"message":{},"nearest":{}}})",
                        list.empty() ? "" : ",", json::Quote(fault.file), fault.line,
                        json::Quote(fault.message),
                        fault.near.empty() ? "null" : json::Quote(fault.near));
  return "[" + list + "]";
}

void PrintPack(const Pack& pack) {
  PrintLine(
      fmt::format("{} ({}), version {}\n{}", pack.name, pack.id, pack.version, pack.description));
  std::vector<std::vector<std::string>> rows = {{"AREA", "PRIORITY", "CATEGORY", "KEYWORDS"}};
  for (const packs::Area& area : pack.areas)
    rows.push_back({area.id, std::to_string(area.priority),
                    area.category.empty() ? "all" : area.category,
                    fmt::format("{}", fmt::join(area.keywords, ", "))});
  PrintTable(rows);
  for (const packs::Category& category : pack.categories)
    PrintLine(fmt::format("Category {}: {}", category.id, category.description));
}

int Done(const Status& done, const std::string& words) {
  if (!done) return PrintError(done.error());
  PrintWords(words);
  return kDone;
}

int RunPacksList(const CommandLine& line, app::Application& app) {
  const auto found = app::PacksOf(app.config()).List();
  if (!found) return PrintError(found.error());
  std::vector<std::vector<std::string>> rows = {{"PACK", "NAME", "AREAS", "FROM"}};
  std::string list;
  for (const FoundPack& one : *found) {
    const LoadedPack loaded = packs::ReadPack(one.id, one.files);
    if (loaded.pack.is_hidden && !line.all) continue;
    const std::string from = one.is_built_in ? "built in" : "imported";
    rows.push_back({one.id, loaded.pack.name, std::to_string(loaded.pack.areas.size()),
                    loaded.faults.empty() ? from : from + ", faulty"});
    list += (list.empty() ? "" : ",") + PackJson(loaded.pack, one.is_built_in);
  }
  if (line.json)
    PrintLine("{\"packs\":[" + list + "]}");
  else
    PrintTable(rows);
  return kDone;
}

int RunPacksShow(const CommandLine& line, app::Application& app) {
  const auto found = app::PacksOf(app.config()).Find(line.arguments.front());
  if (!found) return PrintError(found.error());
  const LoadedPack loaded = packs::ReadPack(found->id, found->files);
  if (const Status good = packs::CheckFaults(loaded); !good) return PrintError(good.error());
  if (line.json)
    PrintLine(PackJson(loaded.pack, found->is_built_in));
  else
    PrintPack(loaded.pack);
  return kDone;
}

int RunPacksValidate(const CommandLine& line, app::Application& /*app*/) {
  const std::string& folder = line.arguments.front();
  const auto files = packs::ReadPackFolder(folder);
  if (!files) return PrintError(files.error());
  const LoadedPack loaded = packs::ReadPack(packs::IdOfFolder(folder), *files);
  if (line.json) {
    PrintLine(fmt::format(R"({{"pack":{},"valid":{},"faults":{}}})", json::Quote(loaded.pack.id),
                          loaded.faults.empty(), FaultsJson(loaded)));
  } else {
    for (const packs::PackFault& fault : loaded.faults) PrintLine(fault.ToText());
    PrintWords(fmt::format("{} faults", loaded.faults.size()));
  }
  return loaded.faults.empty() ? kDone : kNo;
}

int RunPacksExport(const CommandLine& line, app::Application& app) {
  const auto found = app::PacksOf(app.config()).Find(line.arguments[0]);
  if (!found) return PrintError(found.error());
  return Done(packs::WritePackFolder(line.arguments[1], found->files, line.force),
              fmt::format("{} files written", found->files.size()));
}

int RunPacksImport(const CommandLine& line, app::Application& app) {
  const auto id = app::PacksOf(app.config()).Import(line.arguments.front(), line.force);
  if (!id) return PrintError(id.error());
  return Done(Ok(), fmt::format("pack {} imported", *id));
}

}  // namespace

void AddPacks(Syntax& program, CommandLine& line) {
  Syntax packs = program.Group("packs", "Look after domain packs", "  schemaward packs list");
  packs
      .Verb("list", "List the packs: built in and imported", "  schemaward packs list --json",
            RunPacksList)
      .Flag("--all", line.all, "Hidden ones too");
  const auto with = [](Syntax verb, const std::string& arguments, int count) {
    verb.Words(arguments, {.least = count, .most = count},
               "A pack's name, a folder, or both in this order");
    return verb;
  };
  with(packs.Verb("show", "Show a pack's areas and categories", "  schemaward packs show ecommerce",
                  RunPacksShow),
       "NAME", 1);
  with(packs.Verb("validate",
                  "Say what is wrong with a folder as a pack; exit code 1 where anything is",
                  "  schemaward packs validate ./my-shop", RunPacksValidate),
       "DIR", 1);
  with(packs.Verb("export", "Write a pack's files to a folder, to be changed",
                  "  schemaward packs export ecommerce ./my-shop", RunPacksExport),
       "NAME DIR", 2)
      .Flag("--force", line.force, "Overwrite files that are there");
  with(packs.Verb("import", "Take over a folder as a pack of its name",
                  "  schemaward packs import ./my-shop", RunPacksImport),
       "DIR", 1)
      .Flag("--force", line.force, "Replace a pack of its name");
}

}  // namespace schemaward::cli
