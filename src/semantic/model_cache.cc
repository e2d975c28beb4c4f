#include "semantic/model_cache.h"

#include <array>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "json/read.h"
#include "json/value.h"
#include "semantic/engine_types.h"
#include "store/definitions.h"

namespace schemaward::semantic {
namespace {

template <class T>
Status ReadInto(const store::DefinitionRow& row, std::vector<T>& list) {
  WARD_TRY(const auto body, json::Parse(row.body_json));
  T definition;
  if (!json::Read(body.value(), definition).ok())
    return Error(ErrorKind::Internal,
                 fmt::format("the definition \"{}\" in the store cannot be read", row.name));
  list.push_back(std::move(definition));
  return Ok();
}

// The table that a definition names: qualified, or a short name that fits one.
Result<std::optional<catalog::Table>> FindTable(store::Store& store, std::int64_t source_id,
                                                const std::string& name) {
  const std::vector<std::string> parts = catalog::SplitName(name);
  if (parts.empty() || parts.size() > 2) return std::optional<catalog::Table>();
  const std::optional<std::string> schema =
      parts.size() == 2 ? std::optional(parts.front()) : std::nullopt;
  const std::array<std::int64_t, 1> ids = {source_id};
  WARD_TRY(const auto found, store.FindTables(ids, schema, parts.back()));
  const store::TableEntry* best = found.size() == 1 ? &found.front() : nullptr;
  for (const store::TableEntry& entry : found)
    if (entry.name == parts.back() && (!schema || entry.schema == *schema)) best = &entry;
  if (best == nullptr) return std::optional<catalog::Table>();
  return store.GetTable(best->id);
}

// The dialect of a source; of PostgreSQL where it has no engine.
Result<const sql::Dialect*> DialectOf(store::Store& store, std::int64_t source_id) {
  WARD_TRY(const std::vector<store::Source> sources, store.ListSources());
  const sql::Dialect* dialect = nullptr;
  for (const store::Source& source : sources)
    if (source.id == source_id) dialect = sql::FindDialect(source.engine);
  return dialect != nullptr ? dialect : &sql::Postgres();
}

}  // namespace

Result<std::vector<catalog::Table>> LoadTables(store::Store& store, std::int64_t source_id,
                                               const Definitions& definitions) {
  std::set<std::string> names;
  for (const Entity& entity : definitions.entities) names.insert(entity.table);
  for (const Join& join : definitions.joins)
    if (join.through) names.insert(join.through->table);
  std::vector<catalog::Table> tables;
  for (const std::string& name : names) {
    WARD_TRY(auto table, FindTable(store, source_id, name));
    if (table) tables.push_back(*std::move(table));
  }
  WARD_TRY(const sql::Dialect* const dialect, DialectOf(store, source_id));
  for (catalog::Table& table : tables)
    for (catalog::Column& column : table.columns)
      column.type = MeaningOfType(*dialect, column.type);
  return tables;
}

Result<Definitions> LoadDefinitions(store::Store& store, std::int64_t source_id) {
  Definitions definitions;
  WARD_TRY(const auto rows, store::ListDefinitions(store, source_id));
  for (const store::DefinitionRow& row : rows) {
    switch (row.kind) {
      case store::DefinitionKind::Entity:
        WARD_CHECK(ReadInto(row, definitions.entities));
        break;
      case store::DefinitionKind::Join:
        WARD_CHECK(ReadInto(row, definitions.joins));
        break;
      case store::DefinitionKind::Metric:
        WARD_CHECK(ReadInto(row, definitions.metrics));
        break;
    }
  }
  return definitions;
}

Result<std::shared_ptr<const Model>> ModelCache::Get(const store::Source& source) {
  WARD_TRY(const std::int64_t generation, store::DefinitionGeneration(store_, source.id));
  {
    MutexLock lock(mutex_);
    const auto found = entries_.find(source.id);
    if (found != entries_.end() && found->second.index_generation == source.generation &&
        found->second.definition_generation == generation)
      return found->second.model;
  }
  // Two calls may build the same model at once; either result will do.
  WARD_TRY(Definitions definitions, LoadDefinitions(store_, source.id));
  WARD_TRY(auto tables, LoadTables(store_, source.id, definitions));
  auto model = Model::Build(std::move(definitions), tables);
  MutexLock lock(mutex_);
  entries_[source.id] = {source.generation, generation, model};
  return model;
}

}  // namespace schemaward::semantic
