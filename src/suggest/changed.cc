#include "suggest/changed.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace schemaward::suggest {
namespace {

using store::DefinitionKind;
using Tried = std::unordered_set<std::string>;

/// Entities and metrics share their names, joins have their own.
std::string Spaced(DefinitionKind kind, std::string_view name) {
  std::string spaced(kind == DefinitionKind::Join ? "j " : "m ");
  return spaced.append(name);
}

void AddTried(const TableDrafts& table, Tried& tried) {
  for (const NameClaim& claim : table.claims)
    ForEachTried(claim, [&](const std::string& name) { tried.insert(Spaced(claim.Kind(), name)); });
}

bool Meets(const std::vector<TableDrafts>& tables, const Tried& tried) {
  bool meets = false;
  for (const TableDrafts& table : tables)
    for (const NameClaim& claim : table.claims)
      ForEachTried(claim, [&](const std::string& name) {
        meets = meets || tried.contains(Spaced(claim.Kind(), name));
      });
  return meets;
}

/// What stays and what does not, of all tables now and before.
struct Division {
  std::vector<bool> wanted;          // per table now: its drafts are made again
  std::vector<TableDrafts> staying;  // per table now: what it came to; empty where wanted
  std::vector<TableDrafts> gone;
  std::size_t wanted_count = 0;
};

Division Divide(const Drafter& drafter, const std::vector<catalog::Table>& tables,
                MadeBody before) {
  Division division;
  division.wanted.assign(tables.size(), true);
  division.staying.resize(tables.size());
  std::unordered_map<std::string, std::size_t> by_name;
  for (std::size_t t = 0; t < tables.size(); ++t)
    by_name.emplace(catalog::QualifiedName(tables[t]), t);
  for (TableDrafts& old : before.tables) {
    const auto found = by_name.find(old.table);
    const bool stays = found != by_name.end() && drafter.InputsOf(found->second) == old.inputs;
    if (!stays) {
      division.gone.push_back(std::move(old));
      continue;
    }
    division.wanted[found->second] = false;
    division.staying[found->second] = std::move(old);
  }
  for (const bool wanted : division.wanted) division.wanted_count += wanted ? 1 : 0;
  return division;
}

OtherNames NamesOf(const std::vector<TableDrafts>& tables) {
  OtherNames names;
  for (const TableDrafts& table : tables)
    for (const NameClaim& claim : table.claims) {
      if (claim.Kind() == DefinitionKind::Join) names.joins.insert(claim.name);
      if (claim.Kind() == DefinitionKind::Metric) names.metrics.insert(claim.name);
    }
  return names;
}

}  // namespace

// A draft's name is the first free one of those that it tries. Where no table that changed tries,
// or tried, a name that an unchanged one tries, the unchanged ones find each of theirs free or
// taken as they did before, in the same order; and so do the changed ones among themselves.
std::optional<ChangedDrafts> MakeChanged(Drafter& drafter,
                                         const std::vector<catalog::Table>& tables,
                                         MadeBody before) {
  Division division = Divide(drafter, tables, std::move(before));
  if (2 * division.wanted_count > tables.size()) return std::nullopt;
  Tried tried;
  for (const TableDrafts& table : division.staying) AddTried(table, tried);
  if (Meets(division.gone, tried)) return std::nullopt;
  ChangedDrafts changed;
  changed.made = drafter.Make(division.wanted, NamesOf(division.staying));
  if (Meets(changed.made.tables, tried)) return std::nullopt;
  changed.gone = std::move(division.gone);
  changed.all.tables = std::move(division.staying);
  std::size_t next = 0;
  for (std::size_t t = 0; t < tables.size(); ++t)
    if (division.wanted[t]) changed.all.tables[t] = changed.made.tables[next++];
  return changed;
}

}  // namespace schemaward::suggest
