#pragma once

// The schema of a database as plain data: what engines report, what the store keeps, what tools
// describe. Strings are UTF-8 as the engine stores them; nothing is folded. Values only: copy, move
// and compare freely.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/fields.h"

namespace schemaward::catalog {

enum class TableKind : std::uint8_t {
  Table,
  View,
  MaterializedView,
  PartitionedTable,
  ForeignTable
};

/// What the engine already knows of a column's values. Fractions are in [0, 1].
struct Statistic {
  std::optional<double> null_fraction;
  std::optional<std::int64_t> distinct_estimate;  ///< number of different values, estimated
  void Bind(json::Fields& f);
  bool operator==(const Statistic&) const = default;
};

/// Where a foreign table's column stands at its server, as the table's options say.
struct Remote {
  std::string table;
  std::string column;
  void Bind(json::Fields& f);
  auto operator<=>(const Remote&) const = default;
};

inline constexpr std::size_t kRemotesMax = 256;           ///< kept of one column
inline constexpr std::size_t kKinCommentsMax = 64;        ///< kept of one column
inline constexpr std::size_t kKinCommentBytesMax = 4096;  ///< kept of one comment

struct Column {
  std::string name;
  std::string type;  ///< as the engine prints it
  bool nullable = true;
  std::optional<std::string> default_value;  ///< expression text
  std::optional<std::string> identity;       ///< "always" | "by default"
  std::optional<std::string> generated;      ///< expression text
  std::vector<std::string>
      labels;  ///< of an enum type, or of CHECK (column IN (...)); in declared order
  std::optional<std::string> domain;  ///< the domain's name; `type` is then its base type
  bool is_array = false;
  std::string comment;
  std::optional<Statistic> statistic;
  std::vector<std::string> tags;  ///< words that the source attaches to it; "pii", "pii:email" too
  std::vector<std::string>
      verdicts;  ///< what a check of its values found: "payment_card:luhn"; never a value
  std::vector<Remote>
      remotes;  ///< of its own foreign table and of those below it; sorted, each once
  std::vector<std::string> kin_comments;  ///< with tags, of the column in partitions, parents and
                                          ///< children of its table; sorted, each once
  void Bind(json::Fields& f);
  bool operator==(const Column&) const = default;
};

/// A primary key, unique constraint or unique index over plain columns.
struct Key {
  std::string name;
  std::vector<std::string> columns;
  void Bind(json::Fields& f);
  bool operator==(const Key&) const = default;
};

/// columns[i] refers to target_columns[i].
struct ForeignKey {
  std::string name;
  std::vector<std::string> columns;
  std::string target_schema;
  std::string target_table;
  std::vector<std::string> target_columns;
  std::string on_update;  ///< "no action", "cascade", ...; empty where the engine does not say
  std::string on_delete;
  void Bind(json::Fields& f);
  bool operator==(const ForeignKey&) const = default;
};

struct Index {
  std::string name;
  std::vector<std::string> columns;  ///< a column's name, or an expression's text
  bool unique = false;
  std::string method;                    ///< btree, gin, ...; empty where there is but one
  std::optional<std::string> predicate;  ///< of a partial index
  void Bind(json::Fields& f);
  bool operator==(const Index&) const = default;
};

struct Check {
  std::string name;
  std::string expression;
  void Bind(json::Fields& f);
  bool operator==(const Check&) const = default;
};

struct Table {
  std::string schema;
  std::string name;
  TableKind kind = TableKind::Table;
  std::string comment;
  std::vector<Column> columns;  ///< in the table's order
  std::optional<Key> primary_key;
  std::vector<Key> unique_keys;  ///< without the primary key; sorted by name
  std::vector<ForeignKey> foreign_keys;
  std::vector<Index> indexes;
  std::vector<Check> checks;
  std::optional<std::int64_t> row_estimate;  ///< the engine's own, never counted
  std::int64_t partition_count = 0;          ///< children folded into a partitioned parent
  /// What rows are parted by, in the engine's words and at every level; empty where it is not
  /// known.
  std::string partition_key;
  std::string definition;  ///< of a view: its SELECT in the engine's words; empty where not known
  std::vector<std::string>
      parents;  ///< qualified names of what it inherits from, at any depth; no partitioned tables
  std::vector<std::string>
      children;  ///< of what inherits from it, so that a query reads both; no partitions
  void Bind(json::Fields& f);
  bool operator==(const Table&) const = default;
};

/// A part of the catalog that could not be read.
struct Missing {
  std::string object;  ///< "schema.table", "schema", or "line 12" of a script
  std::string reason;  ///< one line, safe to show
  void Bind(json::Fields& f);
  bool operator==(const Missing&) const = default;
};

/// One source's catalog at one moment.
struct Database {
  std::string name;            ///< the engine's own name of the database
  std::string engine;          ///< postgres | sqlite | mysql | duckdb | ddl
  std::string engine_version;  ///< as the engine prints it
  std::vector<Table> tables;   ///< sorted by schema, then name
  std::vector<Missing> missing;
  std::string fingerprint;  ///< changes when the catalog does; cheap for the engine to give again
  void Bind(json::Fields& f);
  bool operator==(const Database&) const = default;
};

/// The position of a column, or npos.
std::size_t FindColumn(const Table& table, std::string_view name);

/// Adds a place to column.remotes. Returns false where there are kRemotesMax others: it is not
/// kept.
bool AddRemote(Column& column, const Remote& remote);

/// What is missing of a table of which AddRemote kept not all.
Missing RemotesCut(std::string_view schema, std::string_view table);

/// Adds a comment, cut at kKinCommentBytesMax, to column.kin_comments. Returns false where there
/// are kKinCommentsMax others: it is not kept.
bool AddKinComment(Column& column, std::string_view comment);

/// What is missing of a table of which AddKinComment kept not all.
Missing KinCommentsCut(std::string_view schema, std::string_view table);

/// Returns `name` as it stands in a qualified name: plain where it matches [A-Za-z_][A-Za-z0-9_$]*,
/// else double-quoted with quotes doubled. [R-NAME-1]
std::string QuoteName(std::string_view name);

/// Returns schema.table, each part as QuoteName gives it.
std::string QualifiedName(const Table& table);
std::string QualifiedName(std::string_view schema, std::string_view table);

/// Splits a dotted name whose parts may be double-quoted; an unquoted part may hold anything but
/// dots and quotes. Returns no parts where a quote is not closed or a part is empty.
std::vector<std::string> SplitName(std::string_view name);

}  // namespace schemaward::catalog

template <>
struct schemaward::json::EnumNames<schemaward::catalog::TableKind> {
  static constexpr std::string_view kNames[] = {"table", "view", "materialized_view",
                                                "partitioned_table", "foreign_table"};
};
