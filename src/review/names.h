#pragma once

// What the names of one statement mean in a schema: the tables of each FROM, the column behind each
// name, and the names that mean nothing. Where a part is not known (a function's columns, a table
// that the script makes by other means) nothing is said: silence is better than a wrong finding.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "guard/table_lookup.h"
#include "sql/dialect.h"
#include "sql/query/script.h"

namespace schemaward::review {

namespace query = sql::query;

/// A table of the schema in one FROM. Lifetime: the tree's and the schema's.
struct TableUse {
  const query::TableExpression* at = nullptr;
  const catalog::Table* table = nullptr;
  bool may_be_absent = false;  ///< an outer join fills its columns with NULL
};

/// What a column's name means.
struct BoundColumn {
  const TableUse* use = nullptr;  ///< null where it comes through a derived table
  const catalog::Column* column = nullptr;
  bool may_be_null = true;
};

enum class NameProblemKind : std::uint8_t { UnknownTable, UnknownColumn, AmbiguousColumn };

struct NameProblem {
  NameProblemKind kind = NameProblemKind::UnknownTable;
  std::size_t begin = 0, end = 0;  ///< bytes of the script
  std::string message;             ///< with the nearest names
};

/// The names of one statement. Immutable once made. Lifetime: ends before tree and schema.
class Names {
 public:
  /// Null where the name is not known or means no column of a table.
  const BoundColumn* Of(const query::Expression* column) const;
  /// The tables of a select's FROM that are known, in order.
  const std::vector<const TableUse*>& UsesOf(const query::Core& core) const;
  /// True where all that is in the select's FROM is a known table.
  bool IsComplete(const query::Core& core) const;
  /// The single output of a query as far as it is known: its column may be null where it is not.
  std::optional<BoundColumn> OutputOf(const query::Query& query) const;
  /// The table that a change of the statement is made to; null where it is not known.
  const catalog::Table* TargetOf(const query::Change& change) const;
  const std::vector<NameProblem>& problems() const { return problems_; }

 private:
  friend class Resolver;
  std::map<const query::Expression*, BoundColumn> columns_;
  std::map<const query::Core*, std::vector<const TableUse*>> uses_;
  std::map<const query::Core*, bool> complete_;
  std::map<const query::Query*, std::vector<BoundColumn>> outputs_;
  std::vector<std::unique_ptr<TableUse>> kept_;
  std::map<const query::Change*, const catalog::Table*> targets_;
  std::vector<NameProblem> problems_;
};

/// A schema as a script leaves it: what its own statements define stands before what was there.
/// Thread: owner. Lifetime: ends before the lookup that it is made of.
class ScriptSchema {
 public:
  explicit ScriptSchema(guard::TableLookup& before) : before_(before) {}
  ScriptSchema(const ScriptSchema&) = delete;
  ScriptSchema& operator=(const ScriptSchema&) = delete;

  /// What is known of a table. `table` is null where it is there and its columns are not known.
  struct Found {
    bool is_there = false;
    const catalog::Table* table = nullptr;
  };
  Found Find(const std::vector<query::Name>& names, const sql::Dialect& dialect);
  std::vector<std::string> Near(std::string_view name) { return before_.Near(name); }
  /// Takes in what a statement defines.
  void Apply(const query::Change& change, const sql::Dialect& dialect);
  /// The tables that the script has defined, by name.
  std::vector<catalog::Table> Defined() const;
  /// Why a lookup failed, if one did: then nothing is said of what it was for.
  const std::optional<Error>& failure() const { return failure_; }

 private:
  Found FindBefore(const std::optional<std::string>& schema, const query::Name& name,
                   const sql::Dialect& dialect);
  void Create(const query::Change& change, const sql::Dialect& dialect);

  guard::TableLookup& before_;
  std::map<std::string, std::unique_ptr<catalog::Table>> own_;  // by lower-case name; null: unknown
  std::map<std::string, Found> seen_;
  bool path_changed_ = false;  // a USE or SET search_path: an unknown name may mean anything
  std::optional<Error> failure_;
};

/// Resolves the names of a statement that could be read.
Names ResolveNames(const query::ScriptStatement& statement, const sql::Dialect& dialect,
                   ScriptSchema& schema);

}  // namespace schemaward::review
