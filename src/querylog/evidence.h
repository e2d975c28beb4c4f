#pragma once

// What a query log says of a database: which columns its queries set equal, and the queries
// themselves.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "json/fields.h"

namespace schemaward::querylog {

/// One entry of a log: SQL as it ran, or with placeholders for its constants.
struct Entry {
  std::string sql;         ///< one statement or several
  std::int64_t calls = 1;  ///< how often it ran
  std::string place;       ///< "line 12"; where to look for it
};

/// Columns that queries set equal: table.columns[i] = target.target_columns[i]. Which side refers
/// to which is not known.
struct ObservedJoin {
  std::string table, target;  ///< qualified names
  std::vector<std::string> columns, target_columns;
  std::int64_t observations = 0;  ///< different statements that join so
  std::int64_t calls = 0;         ///< how often those ran
  void Bind(json::Fields& f);
  bool operator==(const ObservedJoin&) const = default;
};

/// A table that a query reads, by its position in the list that was given, and the columns of it
/// that stand anywhere in the query, in the table's order.
struct TouchedTable {
  std::size_t table = 0;
  std::vector<std::string> columns;
  bool operator==(const TouchedTable&) const = default;
};

/// One query, its constants replaced by placeholders and its comments gone.
struct Query {
  std::string sql;
  std::int64_t calls = 0;
  std::vector<TouchedTable> tables;  ///< sorted by position; at least one
  bool operator==(const Query&) const = default;
};

/// A statement that could not be read.
struct Unread {
  std::string place;
  std::string reason;  ///< one line; nothing of the statement
  void Bind(json::Fields& f);
  bool operator==(const Unread&) const = default;
};

/// How a log was read.
struct Counts {
  std::int64_t statements = 0;       ///< all there were
  std::int64_t read = 0;             ///< that read tables of the index
  std::int64_t elsewhere = 0;        ///< that read none of them
  std::int64_t other = 0;            ///< that are no queries
  std::int64_t unread = 0;           ///< that could not be read
  std::vector<Unread> unread_first;  ///< at most kUnreadShownMax of them
  std::int64_t different = 0;        ///< of those read: once constants and comments are gone
  std::int64_t queries = 0;          ///< kept as examples
  std::int64_t queries_cut = 0;      ///< past the bounds: examples that were not kept
  void Bind(json::Fields& f);
  bool operator==(const Counts&) const = default;
};

struct Evidence {
  std::vector<ObservedJoin> joins;  ///< most statements first, then by name
  std::vector<Query> queries;       ///< most calls first, then by text
  Counts counts;
};

inline constexpr std::size_t kUnreadShownMax = 5;

}  // namespace schemaward::querylog
