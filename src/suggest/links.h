#pragma once

// How tables refer to one another, whatever says so: a declared key, names, or queries.

#include <cstdint>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "querylog/evidence.h"
#include "semantic/definitions.h"
#include "suggest/foreign_keys.h"

namespace schemaward::suggest {

/// Rows of `table` refer to rows of `target`. Tables are positions in the list that was given.
struct Link {
  std::size_t table = 0;
  std::vector<std::string> columns;
  std::size_t target = 0;
  std::vector<std::string> target_columns;
  semantic::Method method = semantic::Method::Inferred;
  std::int64_t observations = 0;  ///< different statements of query logs that join so
  std::int64_t calls = 0;         ///< how often those ran
  bool target_is_unique = false;  ///< at most one row of the target, by a declared key
  std::vector<std::string> evidence;
};

/// Statements that must show an inferred join before its method is the query log, and a join of
/// columns without a key before it is one.
inline constexpr std::int64_t kObservationsMin = 2;

/// Returns declared keys, then what is inferred, then what only queries show. A join that queries
/// show counts for the known one whose columns it holds (the others are conditions beside it); its
/// evidence gains "seen in N queries (M calls)". What only queries show is taken where the columns
/// of one side tell its rows apart, by a declared key or by name; else where several statements
/// show it and nothing else joins the two tables. Sorted by table, then columns, then target.
/// Declared keys into tables that are not in the list are left out. Thread: any.
std::vector<Link> FindLinks(const std::vector<catalog::Table>& tables, const InferOptions& options,
                            const std::vector<querylog::ObservedJoin>& observed,
                            ColumnNames& names);

/// True when a primary or unique key of `table` lies within `columns`. Thread: any.
bool IsUnique(const catalog::Table& table, const std::vector<std::string>& columns);

}  // namespace schemaward::suggest
