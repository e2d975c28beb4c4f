#include "suggest/keep.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "json/read.h"
#include "json/value.h"
#include "semantic/lifecycle.h"
#include "store/definitions.h"
#include "suggest/entities.h"

namespace schemaward::suggest {
namespace {

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

/// True for drafts that this module made. Looked for in the text, which costs a tenth of reading
/// it: within a JSON string these quotes would be escaped.
bool IsOurs(const DefinitionRow& row) {
  const auto says = [&](std::string_view member) {
    return row.body_json.find(member) != std::string::npos;
  };
  return !row.from_files && says(R"("state":"draft")") &&
         (says(R"("method":"fk_constraint")") || says(R"("method":"inferred")") ||
          says(R"("method":"observed_in_query_log")"));
}

template <class T>
Status AddKept(const DefinitionRow& row, std::vector<T>& list) {
  WARD_TRY(T definition, ReadBody<T>(row));
  list.push_back(std::move(definition));
  return Ok();
}

using RowKey = std::pair<DefinitionKind, std::string>;

std::int64_t& CountOf(KeepSummary& summary, DefinitionKind kind) {
  if (kind == DefinitionKind::Entity) return summary.entities;
  return kind == DefinitionKind::Join ? summary.joins : summary.metrics;
}

/// What has to be written so that our rows of `before` become `rows`.
store::DefinitionChanges Compare(std::vector<DefinitionRow> rows,
                                 std::map<RowKey, DefinitionRow>& before, KeepSummary& summary) {
  store::DefinitionChanges changes;
  for (DefinitionRow& row : rows) {
    const auto found = before.find({row.kind, row.name});
    if (found == before.end()) {
      ++summary.added;
      changes.put.push_back(std::move(row));
      continue;
    }
    const bool ours = IsOurs(found->second);
    if (ours && found->second.body_json == row.body_json) ++summary.unchanged;
    if (ours && found->second.body_json != row.body_json) {
      ++summary.changed;
      changes.put.push_back(std::move(row));
    }
    before.erase(found);
  }
  for (auto& [key, row] : before) {
    if (!IsOurs(row)) continue;
    ++summary.removed;
    changes.remove.push_back(std::move(row));
  }
  return changes;
}

/// Adds what the store has under the names of these drafts.
Status AddRows(store::Store& store, std::int64_t source_id, const std::vector<TableDrafts>& tables,
               std::map<RowKey, DefinitionRow>& rows) {
  for (const TableDrafts& table : tables)
    for (const NameClaim& claim : table.claims) {
      if (!claim.is_draft || rows.contains({claim.Kind(), claim.name})) continue;
      WARD_TRY(auto row, store::FindDefinition(store, source_id, claim.Kind(), claim.name));
      if (row) rows.emplace(RowKey(claim.Kind(), claim.name), *std::move(row));
    }
  return Ok();
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

std::string ToText(const KeepSummary& summary) {
  std::string text = fmt::format(
      "drafts: {} entities, {} joins, {} metrics ({} added, {} changed, {} removed, {} unchanged)",
      summary.entities, summary.joins, summary.metrics, summary.added, summary.changed,
      summary.removed, summary.unchanged);
  if (summary.tables_left_out > 0)
    text += fmt::format("; {} tables past the bound of {} were left out", summary.tables_left_out,
                        kEntitiesMax);
  return text;
}

std::int64_t CountOf(const semantic::Definitions& definitions) {
  return static_cast<std::int64_t>(definitions.entities.size() + definitions.joins.size() +
                                   definitions.metrics.size());
}

Result<semantic::Definitions> KeptDefinitions(store::Store& store, std::int64_t source_id) {
  WARD_TRY(const auto rows, store::ListDefinitions(store, source_id));
  semantic::Definitions kept;
  for (const DefinitionRow& row : rows) {
    if (IsOurs(row)) continue;
    if (row.kind == DefinitionKind::Entity) WARD_CHECK(AddKept(row, kept.entities));
    if (row.kind == DefinitionKind::Join) WARD_CHECK(AddKept(row, kept.joins));
    if (row.kind == DefinitionKind::Metric) WARD_CHECK(AddKept(row, kept.metrics));
  }
  return kept;
}

Result<KeepSummary> KeepDrafts(store::Store& store, std::int64_t source_id, const Drafts& drafts,
                               std::optional<store::DraftState> state) {
  WARD_TRY(auto old, store::ListDefinitions(store, source_id));
  std::map<RowKey, DefinitionRow> before;
  for (DefinitionRow& row : old) before.emplace(RowKey(row.kind, row.name), std::move(row));
  const semantic::Definitions& definitions = drafts.definitions;
  KeepSummary summary{.entities = static_cast<std::int64_t>(definitions.entities.size()),
                      .joins = static_cast<std::int64_t>(definitions.joins.size()),
                      .metrics = static_cast<std::int64_t>(definitions.metrics.size()),
                      .tables_left_out = drafts.tables_left_out};
  auto changes = Compare(semantic::RowsOf(source_id, definitions, false), before, summary);
  changes.drafts = std::move(state);
  WARD_CHECK(store::ChangeDefinitions(store, source_id, changes));
  return summary;
}

Result<KeepSummary> KeepChanged(store::Store& store, std::int64_t source_id,
                                const ChangedDrafts& changed,
                                std::optional<store::DraftState> state) {
  KeepSummary summary{.tables_left_out = changed.made.tables_left_out};
  for (const TableDrafts& table : changed.all.tables)
    for (const NameClaim& claim : table.claims)
      if (claim.is_draft) ++CountOf(summary, claim.Kind());
  std::map<RowKey, DefinitionRow> before;
  WARD_CHECK(AddRows(store, source_id, changed.gone, before));
  WARD_CHECK(AddRows(store, source_id, changed.made.tables, before));
  const semantic::Definitions& made = changed.made.definitions;
  summary.unchanged = summary.entities + summary.joins + summary.metrics - CountOf(made);
  auto changes = Compare(semantic::RowsOf(source_id, made, false), before, summary);
  changes.drafts = std::move(state);
  WARD_CHECK(store::ChangeDefinitions(store, source_id, changes));
  return summary;
}

}  // namespace schemaward::suggest
