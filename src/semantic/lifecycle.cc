#include "semantic/lifecycle.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "json/arguments.h"
#include "semantic/model_cache.h"
#include "text/nearest.h"

namespace schemaward::semantic {
namespace {

using store::DefinitionKind;
using store::DefinitionRow;

constexpr std::size_t kNear = 3;

std::string KeyOf(const DefinitionRow& row) {
  return fmt::format("{} {}", WordOf(row.kind), row.name);
}

template <class T>
void AddRows(std::int64_t source_id, DefinitionKind kind, const std::vector<T>& list,
             bool from_files, std::vector<DefinitionRow>& rows) {
  std::vector<std::string> bodies = json::WriteEachArguments(list);
  for (std::size_t i = 0; i < list.size(); ++i)
    rows.push_back({source_id, kind, list[i].name, std::move(bodies[i]), from_files});
}

template <class T>
void Replace(std::vector<T>& kept, const std::vector<T>& by) {
  for (const T& one : by) {
    const auto found = std::find_if(kept.begin(), kept.end(),
                                    [&](const T& other) { return other.name == one.name; });
    if (found != kept.end())
      *found = one;
    else
      kept.push_back(one);
  }
}

template <class T>
void Remove(std::vector<T>& kept, std::string_view name) {
  std::erase_if(kept, [&](const T& one) { return one.name == name; });
}

void RemoveFrom(Definitions& kept, const DefinitionRow& row) {
  switch (row.kind) {
    case DefinitionKind::Entity:
      return Remove(kept.entities, row.name);
    case DefinitionKind::Join:
      return Remove(kept.joins, row.name);
    case DefinitionKind::Metric:
      return Remove(kept.metrics, row.name);
  }
}

// The model knows near names of tables that definitions name; the index knows all.
Result<std::vector<std::string>> NearTables(store::Store& store, std::int64_t source_id,
                                            const std::string& name) {
  text::NearestNames nearest(name, kNear);
  const std::array<std::int64_t, 1> ids = {source_id};
  WARD_CHECK(store.VisitTables(ids, [&](const store::TableEntry& entry) {
    nearest.Offer(catalog::QualifiedName(entry.schema, entry.name));
    return true;
  }));
  return nearest.Take();
}

Status AddProblems(store::Store& store, std::int64_t source_id, const Model& model,
                   const LoadedFiles& loaded, std::vector<FileError>& errors) {
  for (const Model::Finding& finding : model.Findings()) {
    const auto place = loaded.places.find(finding.definition);
    if (place == loaded.places.end() || errors.size() >= kFileErrorsMax) continue;
    FileError error{place->second.file, place->second.LineOf(finding.problem.member),
                    finding.problem.message, finding.problem.near};
    if (finding.problem.member == "table" || finding.problem.member == "through.table") {
      WARD_TRY(error.near, NearTables(store, source_id, finding.problem.object));
    }
    errors.push_back(std::move(error));
  }
  return Ok();
}

template <class T>
std::vector<T> OfSource(const std::vector<T>& list, std::string_view kind,
                        const std::string& source, const LoadedFiles& loaded) {
  std::vector<T> kept;
  for (const T& one : list) {
    const auto named = loaded.sources.find(fmt::format("{} {}", kind, one.name));
    if (named == loaded.sources.end() || named->second == source) kept.push_back(one);
  }
  return kept;
}

// What people confirmed stays so while its file says the same.
template <class T>
void KeepConfirmed(const std::vector<T>& kept, std::vector<T>& given) {
  for (T& one : given) {
    if (one.trust.state != State::Applied) continue;
    for (T other : kept) {
      if (other.name != one.name || other.trust.state != State::Confirmed) continue;
      other.trust.state = State::Applied;
      if (other == one) one.trust.state = State::Confirmed;
    }
  }
}

Error Unknown(DefinitionKind kind, const std::string& name, const std::vector<std::string>& names) {
  const ErrorKind error_kind = kind == DefinitionKind::Entity ? ErrorKind::UnknownEntity
                               : kind == DefinitionKind::Join ? ErrorKind::UnknownJoinName
                                                              : ErrorKind::UnknownMetric;
  const auto near = text::FindNearestNames(name, names, kNear);
  Error error(error_kind, fmt::format("no {} is named \"{}\"", WordOf(kind), name));
  if (!near.empty()) error.Hint(fmt::format("The nearest is \"{}\".", near.front()));
  return error.Near(near);
}

template <class T>
Result<std::vector<T>> ConfirmIn(DefinitionKind kind, std::vector<T> list,
                                 const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const T& one : list) known.push_back(one.name);
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      return Unknown(kind, name, known);
  std::erase_if(list, [&](const T& one) {
    const bool named =
        names.empty() || std::find(names.begin(), names.end(), one.name) != names.end();
    return !named || one.trust.state == State::Confirmed;
  });
  for (T& one : list) one.trust.state = State::Confirmed;
  return list;
}

}  // namespace

std::vector<DefinitionRow> RowsOf(std::int64_t source_id, const Definitions& definitions,
                                  bool from_files) {
  std::vector<DefinitionRow> rows;
  AddRows(source_id, DefinitionKind::Entity, definitions.entities, from_files, rows);
  AddRows(source_id, DefinitionKind::Join, definitions.joins, from_files, rows);
  AddRows(source_id, DefinitionKind::Metric, definitions.metrics, from_files, rows);
  return rows;
}

Result<ApplyPlan> PlanApply(store::Store& store, const store::Source& source,
                            const LoadedFiles& loaded, bool prune) {
  ApplyPlan plan;
  plan.errors = loaded.errors;
  Definitions given;
  given.entities = OfSource(loaded.definitions.entities, "entity", source.name, loaded);
  given.joins = OfSource(loaded.definitions.joins, "join", source.name, loaded);
  given.metrics = OfSource(loaded.definitions.metrics, "metric", source.name, loaded);
  WARD_TRY(const auto kept_rows, store::ListDefinitions(store, source.id));
  WARD_TRY(Definitions after, LoadDefinitions(store, source.id));
  KeepConfirmed(after.entities, given.entities);
  KeepConfirmed(after.joins, given.joins);
  KeepConfirmed(after.metrics, given.metrics);
  std::map<std::string, const DefinitionRow*> kept;
  for (const DefinitionRow& row : kept_rows) kept[KeyOf(row)] = &row;
  for (DefinitionRow& row : RowsOf(source.id, given, true)) {
    const std::string key = KeyOf(row);
    const auto found = kept.find(key);
    if (found == kept.end()) {
      plan.difference.added.push_back(key);
    } else if (found->second->body_json == row.body_json && found->second->from_files) {
      plan.difference.unchanged.push_back(key);
      kept.erase(found);
      continue;
    } else {
      plan.difference.changed.push_back(key);
      kept.erase(found);
    }
    plan.changes.put.push_back(std::move(row));
  }
  Replace(after.entities, given.entities);
  Replace(after.joins, given.joins);
  Replace(after.metrics, given.metrics);
  for (const auto& [key, row] : kept) {
    if (!row->from_files) continue;
    if (prune) {
      plan.difference.removed.push_back(key);
      plan.changes.remove.push_back(*row);
      RemoveFrom(after, *row);
    }
  }
  WARD_TRY(const auto model, BuildModel(store, source.id, std::move(after)));
  WARD_CHECK(AddProblems(store, source.id, *model, loaded, plan.errors));
  return plan;
}

Result<std::size_t> Confirm(store::Store& store, std::int64_t source_id, DefinitionKind kind,
                            const std::vector<std::string>& names) {
  WARD_TRY(Definitions all, LoadDefinitions(store, source_id));
  WARD_TRY(const auto rows, store::ListDefinitions(store, source_id));
  Definitions changed;
  if (kind == DefinitionKind::Entity) {
    WARD_TRY(changed.entities, ConfirmIn(kind, std::move(all.entities), names));
  } else if (kind == DefinitionKind::Join) {
    WARD_TRY(changed.joins, ConfirmIn(kind, std::move(all.joins), names));
  } else {
    WARD_TRY(changed.metrics, ConfirmIn(kind, std::move(all.metrics), names));
  }
  store::DefinitionChanges changes;
  changes.put = RowsOf(source_id, changed, false);
  for (DefinitionRow& row : changes.put)
    for (const DefinitionRow& old : rows)
      if (old.kind == row.kind && old.name == row.name) row.from_files = old.from_files;
  WARD_CHECK(store::ChangeDefinitions(store, source_id, changes));
  return changes.put.size();
}

Result<std::shared_ptr<const Model>> BuildModel(store::Store& store, std::int64_t source_id,
                                                Definitions definitions) {
  WARD_TRY(auto tables, LoadTables(store, source_id, definitions));
  return Model::Build(std::move(definitions), tables);
}

}  // namespace schemaward::semantic
