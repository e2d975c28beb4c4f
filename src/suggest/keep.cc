#include "suggest/keep.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "json/read.h"
#include "json/value.h"
#include "json/write.h"
#include "store/definitions.h"

namespace schemaward::suggest {
namespace {

using semantic::Method;
using store::DefinitionKind;
using store::DefinitionRow;

template <class T>
Result<T> ReadBody(const DefinitionRow& row) {
  WARD_TRY(const auto body, json::Parse(row.body_json));
  T definition;
  if (!json::Read(body.value(), definition).ok())
    return Error(ErrorKind::Internal,
                 fmt::format("the definition \"{}\" in the store cannot be read", row.name));
  return definition;
}

/// True for drafts that this module made.
bool IsOurs(const DefinitionRow& row, const semantic::Trust& trust) {
  const bool our_method = trust.method == Method::FkConstraint ||
                          trust.method == Method::Inferred ||
                          trust.method == Method::ObservedInQueryLog;
  return !row.from_files && trust.state == semantic::State::Draft && our_method;
}

template <class T>
Result<bool> IsOursAs(const DefinitionRow& row) {
  WARD_TRY(const T definition, ReadBody<T>(row));
  return IsOurs(row, definition.trust);
}

Result<bool> IsOurs(const DefinitionRow& row) {
  switch (row.kind) {
    case DefinitionKind::Entity:
      return IsOursAs<semantic::Entity>(row);
    case DefinitionKind::Join:
      return IsOursAs<semantic::Join>(row);
    case DefinitionKind::Metric:
      return IsOursAs<semantic::Metric>(row);
  }
  return false;
}

template <class T>
Status AddKept(const DefinitionRow& row, std::vector<T>& list) {
  WARD_TRY(T definition, ReadBody<T>(row));
  if (!IsOurs(row, definition.trust)) list.push_back(std::move(definition));
  return Ok();
}

template <class T>
void AddRows(std::int64_t source_id, DefinitionKind kind, const std::vector<T>& list,
             std::vector<DefinitionRow>& rows) {
  for (const T& one : list) rows.push_back({source_id, kind, one.name, json::Write(one), false});
}

std::vector<DefinitionRow> RowsOf(std::int64_t source_id, const semantic::Definitions& drafts) {
  std::vector<DefinitionRow> rows;
  AddRows(source_id, DefinitionKind::Entity, drafts.entities, rows);
  AddRows(source_id, DefinitionKind::Join, drafts.joins, rows);
  AddRows(source_id, DefinitionKind::Metric, drafts.metrics, rows);
  return rows;
}

}  // namespace

void KeepSummary::Bind(json::Fields& f) {
  f("entities", entities, "drafts of entities there are now");
  f("joins", joins, "drafts of joins");
  f("metrics", metrics, "drafts of metrics");
  f("added", added, "drafts that are new");
  f("changed", changed, "drafts that say something else than before");
  f("removed", removed, "drafts that no longer follow from the index");
  f("unchanged", unchanged, "drafts that are as they were");
  f("tables_left_out", tables_left_out, "tables past the bound of entities");
}

Result<semantic::Definitions> KeptDefinitions(store::Store& store, std::int64_t source_id) {
  WARD_TRY(const auto rows, store::ListDefinitions(store, source_id));
  semantic::Definitions kept;
  for (const DefinitionRow& row : rows) {
    if (row.kind == DefinitionKind::Entity) WARD_CHECK(AddKept(row, kept.entities));
    if (row.kind == DefinitionKind::Join) WARD_CHECK(AddKept(row, kept.joins));
    if (row.kind == DefinitionKind::Metric) WARD_CHECK(AddKept(row, kept.metrics));
  }
  return kept;
}

Result<KeepSummary> KeepDrafts(store::Store& store, std::int64_t source_id, const Drafts& drafts) {
  WARD_TRY(auto old, store::ListDefinitions(store, source_id));
  std::map<std::pair<DefinitionKind, std::string>, DefinitionRow> before;
  for (DefinitionRow& row : old) before.emplace(std::pair(row.kind, row.name), std::move(row));
  const semantic::Definitions& definitions = drafts.definitions;
  KeepSummary summary{.entities = static_cast<std::int64_t>(definitions.entities.size()),
                      .joins = static_cast<std::int64_t>(definitions.joins.size()),
                      .metrics = static_cast<std::int64_t>(definitions.metrics.size()),
                      .tables_left_out = drafts.tables_left_out};
  store::DefinitionChanges changes;
  for (DefinitionRow& row : RowsOf(source_id, definitions)) {
    const auto found = before.find({row.kind, row.name});
    if (found == before.end()) {
      ++summary.added;
      changes.put.push_back(std::move(row));
      continue;
    }
    WARD_TRY(const bool ours, IsOurs(found->second));
    if (ours && found->second.body_json == row.body_json) ++summary.unchanged;
    if (ours && found->second.body_json != row.body_json) {
      ++summary.changed;
      changes.put.push_back(std::move(row));
    }
    before.erase(found);
  }
  for (auto& [key, row] : before) {
    WARD_TRY(const bool ours, IsOurs(row));
    if (!ours) continue;
    ++summary.removed;
    changes.remove.push_back(std::move(row));
  }
  WARD_CHECK(store::ChangeDefinitions(store, source_id, changes));
  return summary;
}

}  // namespace schemaward::suggest
