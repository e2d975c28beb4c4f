#pragma once

// The relations of a project while they are put together.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "json/value.h"

namespace schemaward::connect::dbt {

/// A model, seed, snapshot or source that is a table or view of the warehouse.
struct Relation {
  std::string id;           ///< unique_id: model.shop.orders
  std::string name;         ///< as ref() and source() call it
  std::string source_name;  ///< of a source
  std::string database;
  const json::Value* node = nullptr;  ///< of the manifest
  catalog::Table table;
  std::string key_hint;                ///< the only column of the node's own primary_key, or empty
  std::vector<std::string> unique;     ///< columns that are unique by themselves
  std::vector<catalog::Key> composed;  ///< unique together
};

/// Lifetime: the manifest outlives it.
struct Project {
  std::vector<Relation> relations;  ///< sorted by id
  std::vector<catalog::Missing> missing;

  Relation* Find(std::string_view id);
  /// The relation that ref('...'), source('...', '...') or a printed name like "db"."schema"."name"
  /// means; null where none does, or several do.
  Relation* Resolve(std::string_view reference);
  /// Notes what could not be read; control characters are blanked.
  void Miss(std::string_view object, std::string_view reason);
};

/// The column as the table writes it, by exact name, else by one that differs in case; quotes
/// around `name` are dropped. Null where there is none.
catalog::Column* FindColumn(catalog::Table& table, std::string_view name);

/// Fills project.relations from nodes and sources of the manifest, with the columns of `catalog`.
void ReadRelations(const json::Value& manifest, const json::Value& catalog, Project& project);

/// Adds what constraints and generic tests say: keys, nullability, labels, checks, foreign keys.
void ReadConstraints(Project& project);
void ReadTests(const json::Value& manifest, Project& project);

/// Chooses primary keys, once all that is unique is known.
void SettleKeys(Project& project);
/// Adds foreign keys; only where what they refer to is unique. After SettleKeys.
void ReadForeignKeys(const json::Value& manifest, Project& project);

}  // namespace schemaward::connect::dbt
