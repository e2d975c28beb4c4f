#pragma once

// Inside the store: the tables of definitions and of query logs. docs/formats/store.md.

#include <string_view>

namespace schemaward::store {

/// Part of a new store, and the migration from version 1 to 2. Definitions are clustered as they
/// are listed.
inline constexpr std::string_view kDefinitionSchemaSql = R"(
CREATE TABLE definition(
  source_id INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  name TEXT NOT NULL,
  from_files INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY(source_id, kind, name)) WITHOUT ROWID;
CREATE TABLE definition_stamp(source_id INTEGER PRIMARY KEY, generation INTEGER NOT NULL);
)";

/// Part of a new store, and the migration from version 2 to 3, which had such tables, always empty.
/// A mined query is linked to each table that it reads.
inline constexpr std::string_view kMinedSchemaSql = R"(
DROP TABLE IF EXISTS mined_query;
DROP TABLE IF EXISTS mined_table;
CREATE TABLE mined_log(
  source_id INTEGER NOT NULL,
  origin TEXT NOT NULL,
  stamp TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY(source_id, origin)) WITHOUT ROWID;
CREATE TABLE mined_query(
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL,
  origin TEXT NOT NULL,
  calls INTEGER NOT NULL,
  sql TEXT NOT NULL);
CREATE INDEX mined_query_source ON mined_query(source_id, origin);
CREATE TABLE mined_table(
  object_id INTEGER NOT NULL,
  query_id INTEGER NOT NULL,
  columns TEXT NOT NULL,
  PRIMARY KEY(object_id, query_id)) WITHOUT ROWID;
CREATE INDEX mined_table_query ON mined_table(query_id);
)";

/// Part of a new store, and the migration from version 3 to 4. Replaced as a whole.
inline constexpr std::string_view kDraftSchemaSql = R"(
CREATE TABLE draft_state(
  source_id INTEGER PRIMARY KEY,
  generation INTEGER NOT NULL,
  stamp BLOB NOT NULL,
  body BLOB NOT NULL);
)";

}  // namespace schemaward::store
