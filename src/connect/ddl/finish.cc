#include "connect/ddl/finish.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/core.h>

#include "connect/ddl/apply.h"
#include "connect/ddl/kin.h"
#include "connect/ddl/names.h"
#include "connect/ddl/remote.h"
#include "connect/ddl/type_name.h"

namespace schemaward::connect::ddl {
namespace {

/// The partitioned table at the top of a table's ancestors; the table itself where it has none.
const Relation& RootOf(const Relation& relation) {
  const Relation* at = &relation;
  for (int depth = 0; at->partition_of != nullptr && depth < kPartitionDepthMax; ++depth)
    at = at->partition_of;
  return *at;
}

std::vector<std::string> NamesAt(const Relation& relation, const Positions& positions) {
  std::vector<std::string> names;
  names.reserve(positions.size());
  for (std::size_t at : positions) names.push_back(relation.columns[at].column.name);
  return names;
}

template <class T>
void SortByName(std::vector<T>& items) {
  std::stable_sort(items.begin(), items.end(),
                   [](const T& a, const T& b) { return a.name < b.name; });
}

std::string NameOf(const Relation& relation) {
  return catalog::QualifiedName(relation.schema, relation.name);
}

/// Adds the key unless its target is gone or its columns cannot be paired.
void AddForeignKey(const Relation& relation, ForeignKeyState& state_of_key,
                   const SchemaState& state, std::vector<catalog::ForeignKey>& keys,
                   std::vector<catalog::Missing>& missing) {
  ResolveForeignKey(state_of_key, state);
  if (state_of_key.target != nullptr && state_of_key.target->IsGone()) return;
  catalog::ForeignKey key;
  key.name = state_of_key.name;
  key.columns = NamesAt(relation, state_of_key.columns);
  key.on_update = state_of_key.on_update;
  key.on_delete = state_of_key.on_delete;
  if (state_of_key.target != nullptr) {
    const Relation& root = RootOf(*state_of_key.target);
    key.target_schema = root.schema;
    key.target_table = root.name;
    key.target_columns = state_of_key.target_columns.empty()
                             ? state_of_key.target_column_names
                             : NamesAt(*state_of_key.target, state_of_key.target_columns);
  } else {
    key.target_schema = state_of_key.target_schemas.front();
    key.target_table = state_of_key.target_name;
    key.target_columns = state_of_key.target_column_names;
    missing.push_back({NameOf(relation),
                       fmt::format("foreign key {} refers to {}, which the script does not create",
                                   catalog::QuoteName(key.name),
                                   catalog::QualifiedName(key.target_schema, key.target_table))});
  }
  if (key.columns.size() != key.target_columns.size()) {
    if (state_of_key.target != nullptr)
      missing.push_back(
          {NameOf(relation), fmt::format("the columns that foreign key {} refers to are not known",
                                         catalog::QuoteName(key.name))});
    return;
  }
  keys.push_back(std::move(key));
}

void AddColumns(Relation& relation, catalog::Table& table) {
  for (const CheckState& check : relation.checks) {
    if (check.column && relation.columns[*check.column].column.labels.empty())
      relation.columns[*check.column].column.labels = check.labels;
  }
  table.columns.reserve(relation.columns.size());
  for (ColumnState& column : relation.columns) {
    if (column.dropped) continue;
    std::vector<std::string> of_check = std::move(column.column.labels);
    column.column.labels.clear();
    SetColumnType(column.type, column.column);
    if (column.column.labels.empty()) column.column.labels = std::move(of_check);
    table.columns.push_back(std::move(column.column));
  }
  relation.columns = {};  // a large script's columns must not stand in memory twice
}

void AddKeysAndIndexes(Relation& relation, catalog::Table& table) {
  if (relation.primary_key)
    table.primary_key =
        catalog::Key{relation.primary_key->name, NamesAt(relation, relation.primary_key->columns)};
  for (const KeyState& key : relation.unique_keys)
    table.unique_keys.push_back({key.name, NamesAt(relation, key.columns)});
  for (IndexState& state_of_index : relation.indexes) {
    if (state_of_index.backs_constraint) continue;  // the key says it all
    catalog::Index index;
    index.name = state_of_index.name;
    index.unique = state_of_index.unique;
    index.method = state_of_index.method;
    index.predicate = std::move(state_of_index.predicate);
    for (IndexPart& part : state_of_index.parts)
      index.columns.push_back(part.column ? relation.columns[*part.column].column.name
                                          : std::move(part.expression));
    table.indexes.push_back(std::move(index));
  }
  SortByName(relation.checks);
  for (CheckState& check : relation.checks)
    table.checks.push_back({check.name, std::move(check.expression)});
  SortByName(table.unique_keys);
  SortByName(table.indexes);
}

/// The last that is done to a relation: it gives its columns away.
catalog::Table ToTable(Relation& relation, std::vector<catalog::Missing>& missing) {
  catalog::Table table;
  table.schema = relation.schema;
  table.name = relation.name;
  table.kind = relation.kind;
  table.definition = relation.definition;
  table.comment = std::move(relation.comment);
  table.parents = std::move(relation.parents);
  table.children = std::move(relation.children);
  AddKeysAndIndexes(relation, table);
  AddColumns(relation, table);
  if (!relation.columns_known)
    missing.push_back({NameOf(relation),
                       "its columns are not all known: it selects from what the "
                       "script does not create"});
  return table;
}

}  // namespace

std::vector<catalog::Table> Finish(SchemaState& state, std::vector<catalog::Missing>& missing) {
  std::unordered_map<const Relation*, std::int64_t> partitions;
  std::vector<Relation*> roots;
  for (const auto& relation : state.relations()) {
    if (relation->temporary || relation->IsGone()) continue;
    if (relation->partition_of != nullptr) {
      ++partitions[&RootOf(*relation)];
    } else {
      roots.push_back(relation.get());
    }
  }
  std::sort(roots.begin(), roots.end(), [](const Relation* a, const Relation* b) {
    return std::tie(a->schema, a->name) < std::tie(b->schema, b->name);
  });
  AddRemotes(state, missing);
  AddKin(state, missing);
  // All foreign keys before any table: they need the columns of others.
  std::vector<std::vector<catalog::ForeignKey>> foreign_keys(roots.size());
  for (std::size_t i = 0; i < roots.size(); ++i) {
    for (ForeignKeyState& key : roots[i]->foreign_keys)
      AddForeignKey(*roots[i], key, state, foreign_keys[i], missing);
    SortByName(foreign_keys[i]);
  }
  std::vector<catalog::Table> tables;
  tables.reserve(roots.size());
  for (std::size_t i = 0; i < roots.size(); ++i) {
    Relation* relation = roots[i];
    catalog::Table table = ToTable(*relation, missing);
    table.foreign_keys = std::move(foreign_keys[i]);
    if (auto found = partitions.find(relation); found != partitions.end())
      table.partition_count = found->second;
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace schemaward::connect::ddl
