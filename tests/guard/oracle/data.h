#pragma once

// What the oracle's statements are about: tables and views whose columns are known to be blocked or
// not, and two copies of their rows that differ in blocked columns alone.

#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"

namespace schemaward::oracle {

enum class Engine : unsigned char { Sqlite, Postgres, MySql, DuckDb };

enum class Kind : unsigned char { Number, Text, Flag, Time };

struct Column {
  std::string name;
  Kind kind = Kind::Number;
  bool is_blocked = false;
};

struct Relation {
  std::string name;
  std::vector<Column> columns;
};

/// Which copy: in A blocked values rise, in B they fall, repeat and are absent.
enum class Copy : unsigned char { A, B };

/// The tables, and the views: of columns that may be read alone, or (`all_views`) with blocked ones
/// among them.
std::vector<Relation> Relations(bool all_views);

/// The statements that make the tables, views and rows of one copy.
std::vector<std::string> Script(Engine engine, Copy copy);

/// The tables as a catalog would give them: for SQLite, whose copies are in memory.
std::vector<catalog::Table> SqliteCatalog();

}  // namespace schemaward::oracle
