// Nodes and sources of the manifest, and their columns.
#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "connect/dbt/project.h"
#include "json/access.h"

namespace schemaward::connect::dbt {
namespace {

using json::ItemsOf;
using json::Member;
using json::TextOf;
using json::TextsOf;
using json::Value;

std::string Trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ' || text.back() == '\r'))
    text.pop_back();
  return text;
}

bool IsRelation(const Value& node) {
  const std::string kind = TextOf(node, "resource_type");
  if (kind != "model" && kind != "seed" && kind != "snapshot" && kind != "source") return false;
  const Value& enabled = Member(node, {"config", "enabled"});
  const bool is_off = enabled.is_boolean() && !json::IsTrue(enabled);
  return !is_off && TextOf(Member(node, {"config", "materialized"})) != "ephemeral";
}

catalog::TableKind KindOf(const Value& node, const Value& built) {
  std::string word = LowerAscii(TextOf(Member(built, {"metadata", "type"})));
  if (word.empty()) word = LowerAscii(TextOf(Member(node, {"config", "materialized"})));
  std::replace(word.begin(), word.end(), '_', ' ');
  if (word == "view") return catalog::TableKind::View;
  if (word == "materialized view" || word == "dynamic table")
    return catalog::TableKind::MaterializedView;
  if (word.find("external") != std::string::npos || word.find("foreign") != std::string::npos)
    return catalog::TableKind::ForeignTable;
  return catalog::TableKind::Table;
}

std::optional<std::int64_t> RowsOf(const Value& built) {
  for (const std::string_view name : {"row_count", "num_rows", "rows"})
    if (const auto rows = json::IntegerOf(Member(built, {"stats", name, "value"}));
        rows && *rows >= 0)
      return rows;
  return std::nullopt;
}

void AddTag(catalog::Column& column, std::string tag) {
  if (!tag.empty() && std::find(column.tags.begin(), column.tags.end(), tag) == column.tags.end())
    column.tags.push_back(std::move(tag));
}

/// pii: true, pii: email, pii: [email, phone], pii: {category: email}.
void AddPii(const Value& pii, catalog::Column& column) {
  if (json::IsTrue(pii)) AddTag(column, "pii");
  if (pii.is_object()) {
    AddTag(column, "pii");
    for (const std::string_view name : {"category", "categories", "type"})
      for (const std::string& word : TextsOf(Member(pii, name))) AddTag(column, "pii:" + word);
  }
  if (pii.is_string() || pii.is_array())
    for (const std::string& word : TextsOf(pii))
      AddTag(column, word == "true" || word == "yes" ? "pii" : "pii:" + word);
}

/// What projects write under `meta` to say that a column is personal, and how sensitive it is.
void AddMeta(const Value& meta, catalog::Column& column) {
  for (const std::string_view name : {"pii", "contains_pii", "has_pii", "is_pii", "personal_data"})
    AddPii(Member(meta, name), column);
  for (const std::string_view name : {"sensitivity", "classification", "data_classification"})
    for (const std::string& said : TextsOf(Member(meta, name))) {
      const std::string word = LowerAscii(said);
      if (word == "pii" || word == "phi" || word == "pci") AddTag(column, "pii:" + word);
    }
}

void Describe(const Value& declared, catalog::Column& column) {
  if (std::string text = Trimmed(TextOf(declared, "description")); !text.empty())
    column.comment = std::move(text);
  if (column.type.empty()) column.type = TextOf(declared, "data_type");
  for (const Value* tags : {&Member(declared, "tags"), &Member(declared, {"config", "tags"})})
    for (std::string& tag : TextsOf(*tags)) AddTag(column, std::move(tag));
  for (const Value* meta : {&Member(declared, "meta"), &Member(declared, {"config", "meta"})})
    AddMeta(*meta, column);
}

/// Columns as the warehouse has them, in its order.
void AddBuiltColumns(const Value& built, catalog::Table& table) {
  std::vector<std::pair<std::int64_t, catalog::Column>> columns;
  std::set<std::string, std::less<>> names;
  for (const auto& [key, value] : Member(built, "columns").items()) {
    catalog::Column column;
    column.name = TextOf(value, "name");
    if (column.name.empty()) column.name = key;
    column.type = TextOf(value, "type");
    column.comment = Trimmed(TextOf(value, "comment"));
    const std::int64_t index =
        json::IntegerOf(Member(value, "index")).value_or(std::numeric_limits<std::int64_t>::max());
    if (names.insert(column.name).second) columns.emplace_back(index, std::move(column));
  }
  std::stable_sort(columns.begin(), columns.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [index, column] : columns) table.columns.push_back(std::move(column));
}

void AddDeclaredColumns(const Value& node, bool is_built, Relation& relation, Project& project) {
  const Value& declared = Member(node, "columns");
  if (!declared.is_object()) return;
  for (const auto& [key, value] : declared.items()) {
    std::string name = TextOf(value, "name");
    if (name.empty()) name = key;
    catalog::Column* column = FindColumn(relation.table, name);
    if (column == nullptr && is_built) {
      project.Miss(catalog::QualifiedName(relation.table) + "." + catalog::QuoteName(name),
                   "the project describes the column, catalog.json does not have it");
      continue;
    }
    if (column == nullptr) {
      column = &relation.table.columns.emplace_back();
      column->name = std::move(name);
    }
    Describe(value, *column);
  }
}

const Value& BuiltOf(const Value& catalog, const std::string& id) {
  const Value& node = Member(catalog, {"nodes", id});
  return node.is_null() ? Member(catalog, {"sources", id}) : node;
}

Relation MakeRelation(const std::string& id, const Value& node, const Value& built,
                      Project& project) {
  Relation relation;
  relation.id = id;
  relation.node = &node;
  relation.name = TextOf(node, "name");
  relation.source_name = TextOf(node, "source_name");
  relation.database = TextOf(node, "database");
  catalog::Table& table = relation.table;
  table.schema = TextOf(node, "schema");
  table.name = TextOf(node, relation.source_name.empty() ? "alias" : "identifier");
  if (table.name.empty()) table.name = relation.name;
  table.kind = KindOf(node, built);
  table.comment = Trimmed(TextOf(node, "description"));
  if (table.comment.empty())
    table.comment = Trimmed(TextOf(Member(built, {"metadata", "comment"})));
  table.row_estimate = RowsOf(built);
  const bool is_built = Member(built, "columns").is_object();
  if (is_built) AddBuiltColumns(built, table);
  AddDeclaredColumns(node, is_built, relation, project);
  const std::vector<std::string> key = TextsOf(Member(node, "primary_key"));
  if (key.size() == 1) relation.key_hint = key[0];
  return relation;
}

}  // namespace

void ReadRelations(const Value& manifest, const Value& catalog, Project& project) {
  const bool has_catalog = !ItemsOf(Member(catalog, "nodes")).empty();
  std::map<std::pair<std::string, std::string>, std::string> taken;  // schema, name: database
  for (const std::string_view part : {"nodes", "sources"}) {
    const Value& nodes = Member(manifest, part);
    if (!nodes.is_object()) continue;
    for (const auto& [id, node] : nodes.items()) {
      if (!IsRelation(node)) continue;
      const Value& built = BuiltOf(catalog, id);
      Relation relation = MakeRelation(id, node, built, project);
      const std::string name = catalog::QualifiedName(relation.table);
      if (relation.table.name.empty()) {
        project.Miss(id, "the manifest does not name its table");
        continue;
      }
      const auto [at, is_new] =
          taken.try_emplace({relation.table.schema, relation.table.name}, relation.database);
      if (!is_new) {
        // A source that reads what a model builds is the same table; two databases are not.
        if (at->second != relation.database)
          project.Miss(name, fmt::format("a table of this name in database {} is listed already",
                                         catalog::QuoteName(at->second)));
        continue;
      }
      if (has_catalog && built.is_null())
        project.Miss(name,
                     "catalog.json does not have it: its columns are those that are declared");
      project.relations.push_back(std::move(relation));
    }
  }
  std::sort(project.relations.begin(), project.relations.end(),
            [](const Relation& a, const Relation& b) { return a.id < b.id; });
}

}  // namespace schemaward::connect::dbt
