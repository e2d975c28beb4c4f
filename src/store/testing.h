#pragma once

// For tests of the store and of what stands on it: small tables, and an index written without a
// database behind it, in a folder that goes away.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/temp_folder.h"
#include "catalog/catalog.h"
#include "store/index_writer.h"
#include "store/sources.h"
#include "store/store.h"

namespace schemaward::store {

using schemaward::TempFolder;

/// schema.name with integer columns of these names.
inline catalog::Table MakeTable(std::string schema, std::string name,
                                const std::vector<std::string>& columns = {"id"}) {
  catalog::Table table;
  table.schema = std::move(schema);
  table.name = std::move(name);
  for (const std::string& column : columns) {
    auto& added = table.columns.emplace_back();
    added.name = column;
    added.type = "integer";
  }
  return table;
}

/// Adds a foreign key over one column.
inline void AddKey(catalog::Table& table, std::string column, std::string target_schema,
                   std::string target_table) {
  auto& key = table.foreign_keys.emplace_back();
  key.name = table.name + "_" + column + "_fkey";
  key.columns = {std::move(column)};
  key.target_schema = std::move(target_schema);
  key.target_table = std::move(target_table);
  key.target_columns = {"id"};
}

/// Registers sqlite:<name>.db and indexes `tables` as all there is of it. Returns the source.
inline Result<Source> PutIndexed(Store& store, const std::string& name,
                                 const std::vector<catalog::Table>& tables) {
  WARD_TRY(const auto source,
           PutSource(store, {.name = name, .engine = "sqlite", .location = "/nowhere/" + name}));
  WARD_TRY(auto writer, IndexWriter::Begin(store, source.id));
  WARD_TRY(const auto before, writer->Existing());
  for (const IndexedTable& table : before) WARD_CHECK(writer->Remove(table.id));
  for (const catalog::Table& table : tables) {
    WARD_TRY(const auto id, writer->Add(table, HashOf(table)));
    (void)id;
  }
  WARD_TRY(const auto generation, writer->Commit({.indexed_at_us = 1}));
  (void)generation;
  WARD_TRY(auto found, store.FindSource(source.name));
  return *std::move(found);
}

}  // namespace schemaward::store
