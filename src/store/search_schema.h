#pragma once

// The tables of search in the store's file.

#include <string_view>

namespace schemaward::store {

/// For the store's list of migrations.
inline constexpr std::string_view kSearchSchemaSql = R"sql(
CREATE TABLE search_term (
  id INTEGER PRIMARY KEY,
  term TEXT NOT NULL UNIQUE,
  stem TEXT,               -- NULL for terms that are no words: they have no forms and no typos
  length INTEGER NOT NULL, -- in characters
  df INTEGER NOT NULL,     -- tables that hold it
  ranges BLOB NOT NULL     -- EncodeRanges
);
CREATE INDEX search_term_stem ON search_term (stem) WHERE stem IS NOT NULL;
CREATE INDEX search_term_length ON search_term (length, term) WHERE stem IS NOT NULL;
CREATE TABLE search_posting (
  key INTEGER PRIMARY KEY, -- term id * 2^20 + range
  data BLOB NOT NULL       -- EncodePostings
);
CREATE TABLE search_range (
  range INTEGER PRIMARY KEY,
  data BLOB NOT NULL       -- EncodeRangeTables
);
CREATE TABLE search_table (
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL,
  schema_key INTEGER NOT NULL,
  name_words INTEGER NOT NULL,
  name TEXT NOT NULL,
  offers BLOB NOT NULL,    -- EncodeKeys
  wants BLOB NOT NULL,     -- EncodeKeys
  terms BLOB NOT NULL,     -- EncodeRecord
  columns BLOB NOT NULL    -- EncodeNames
);
CREATE TABLE search_link (
  key INTEGER NOT NULL,
  direction INTEGER NOT NULL, -- 0: the table offers the key, 1: it wants it
  table_id INTEGER NOT NULL,
  PRIMARY KEY (key, direction, table_id)
) WITHOUT ROWID;
CREATE TABLE search_total (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  tables INTEGER NOT NULL
);
INSERT INTO search_total (id, tables) VALUES (1, 0);
)sql";
;

}  // namespace schemaward::store
