#pragma once

// The fixed set of catalog queries. They read information_schema only; its columns are read by
// position, since MySQL 8 gives their names in capitals.

#include <cstddef>
#include <string>
#include <vector>

#include "connect/connector.h"
#include "connect/mysql/client.h"
#include "connect/mysql/flavour.h"

namespace schemaward::connect::mysql {

/// Column positions of each query's answer, beside its text, so that a query and its reader cannot
/// drift apart.
enum class TableField : std::size_t { Schema, Name, Kind, Rows, Comment };
enum class ColumnField : std::size_t {
  Schema,
  Table,
  Name,
  Type,
  Nullable,
  Default,
  Extra,
  Comment,
  Generated,
  Privileges
};
enum class IndexField : std::size_t {
  Schema,
  Table,
  Name,
  NonUnique,
  Column,
  PrefixLength,
  Method,
  Expression
};
enum class KeyField : std::size_t {
  Schema,
  Table,
  Name,
  Column,
  TargetSchema,
  TargetTable,
  TargetColumn
};
enum class ActionField : std::size_t { Schema, Table, Name, OnUpdate, OnDelete };
enum class CheckField : std::size_t { Schema, Table, Name, Clause };
enum class ViewField : std::size_t { Schema, Table, Definition };
enum class PartitionField : std::size_t { Schema, Table, Count, Key };

struct CatalogQueries {
  Statement tables;
  Statement columns;     ///< in each table's order
  Statement indexes;     ///< a row for each column of an index, in order
  Statement keys;        ///< a row for each column of a foreign key, in order
  Statement actions;     ///< of foreign keys; MariaDB shows them to owners only
  Statement checks;      ///< empty where the flavour has none
  Statement views;       ///< their selects; empty ones where the role has no SHOW VIEW
  Statement partitions;  ///< how many a table has
  Statement fingerprint;
};

/// Returns the queries over the schemas of `scope`; where it is empty, over the database of SOURCE;
/// where there is none, over all but the system's. Thread: any.
CatalogQueries QueriesFor(const ServerInfo& server, const Scope& scope);

}  // namespace schemaward::connect::mysql
