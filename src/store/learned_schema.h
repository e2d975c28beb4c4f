#pragma once

// Inside the store: the tables of what models made of the catalog. docs/formats/store.md.

#include <string_view>

namespace schemaward::store {

/// Part of a new store, and the migration from version 4 to 5.
inline constexpr std::string_view kLearnedSchemaSql = R"(
CREATE TABLE vector(
  object_id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL,
  model TEXT NOT NULL,
  text_hash INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  numbers BLOB NOT NULL);
CREATE INDEX vector_model ON vector(model, source_id);
CREATE TABLE description(
  object_id INTEGER NOT NULL,
  column_name TEXT NOT NULL,
  text TEXT NOT NULL,
  model TEXT NOT NULL,
  shape_hash INTEGER NOT NULL,
  made_at_us INTEGER NOT NULL,
  PRIMARY KEY(object_id, column_name)) WITHOUT ROWID;
)";

}  // namespace schemaward::store
