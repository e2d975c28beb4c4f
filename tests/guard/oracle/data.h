#pragma once

// What the oracle's statements are about: tables and views whose columns are known to be blocked or
// not, and two copies of their rows that differ in blocked columns alone.

#include <string>
#include <vector>

namespace schemaward::oracle {

enum class Engine : unsigned char { Sqlite, Postgres, MySql, DuckDb };

class Shape;

/// Row: a value with fields. No expression is asked for one.
enum class Kind : unsigned char { Number, Text, Flag, Time, Row };

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
std::vector<Relation> Relations(Engine engine, bool all_views);

/// Those of them that are tables.
std::vector<Relation> StoredTables(Engine engine);

/// Names of the views that `all_views` adds.
std::vector<std::string> BlockedViews();

/// The statements that make the tables, views and rows of one copy.
std::vector<std::string> Script(Engine engine, Copy copy, const Shape& shape);

/// The value of a blocked column in row `i`, as a literal: absent from some of B, or (`is_present`)
/// from the same rows of both, which a mask shows.
std::string Secret(Copy copy, int i, bool is_present);

/// Tables of what one engine has alone: fields, hidden columns, generated ones, partitions.
std::vector<Relation> OwnRelations(Engine engine);
void AddOwnScript(Engine engine, Copy copy, std::vector<std::string>& script);

/// Row `i`'s key where it is blocked: whole numbers in another order in B.
int SecretKey(Copy copy, int i);

inline constexpr int kRows = 9;

}  // namespace schemaward::oracle
