#pragma once

// The fixed set of catalog queries. They read pg_catalog only, take the wanted schemas as one
// text[] parameter (null: all), and rely on the settings of ReadOnlySettings(): without a search
// path, the engine prints every name it must with its schema.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schemaward::connect::postgres {

/// Column positions of each query's answer are enums beside its text, so that a query and its
/// reader cannot drift apart.
enum class RelationField : std::size_t {
  Oid,
  Schema,
  Name,
  Kind,
  Rows,
  Parent,
  Comment,
  MayUseSchema,
  MayReadTable,
  MayReadSome,
  Definition,
  Parents,
  Children,
  PartitionKey
};
enum class ColumnField : std::size_t {
  Relation,
  Number,
  Name,
  TypeOid,
  Type,
  NotNull,
  Identity,
  Generated,
  Expression,
  Comment,
  MayRead,
  Table,
  RemoteTable,
  RemoteColumn,
  Above,
  Kin
};
enum class TypeField : std::size_t {
  Oid,
  Kind,
  Name,
  Element,
  Base,
  BaseName,
  NotNull,
  Label,
  IsConverted,
  IsChecked,
  FieldNames,
  FieldTypes
};
enum class ConstraintField : std::size_t {
  Relation,
  Domain,
  Name,
  Kind,
  Columns,
  TargetSchema,
  TargetTable,
  TargetColumns,
  OnUpdate,
  OnDelete,
  Expression
};
enum class IndexField : std::size_t {
  Relation,
  Name,
  IsKey,
  Method,
  Columns,
  Expressions,
  Predicate,
  Unique,
  IsListed,
  IsMore,
  IsClustered,
  Members
};
enum class StatisticField : std::size_t {
  Schema,
  Table,
  Column,
  Inherited,
  NullFraction,
  Distinct
};

struct CatalogQueries {
  std::string relations;  ///< tables, views and partitions; one row each
  std::string columns;    ///< of all but partitions, of every foreign table, and all with a tag in
                          ///< the comment; in each table's order
  std::string types;      ///< enums (a row a label, in order), domains, and arrays of both
  std::string constraints;  ///< primary, unique, foreign keys and checks, of tables and domains
  std::string indexes;      ///< but those that only back a primary or unique key
  std::string statistics;   ///< what the planner knows; may be refused
  std::string fingerprint;  ///< one text
};

/// Returns the queries for a server of that version (120000 is 12.0). Requires: at least 120000.
/// Thread: any.
CatalogQueries QueriesFor(int server_version);

/// Returns the statement that pins, for the present transaction only, everything that changes how
/// the server reads or prints; as the first query of a transaction it also makes SET TRANSACTION
/// READ WRITE fail. It answers with the database's name and the server's version. $1:
/// statement_timeout in ms.
std::string_view ReadOnlySettings();

inline constexpr std::string_view kBeginReadOnly =
    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
inline constexpr std::string_view kRollback = "ROLLBACK";

/// Returns an SQL array literal of `items`.
std::string ArrayLiteral(const std::vector<std::string>& items);

/// Returns the items of a one-dimensional array as the server prints it; "NULL" unquoted becomes an
/// empty text.
std::vector<std::string> ParseArray(std::string_view literal);

}  // namespace schemaward::connect::postgres
