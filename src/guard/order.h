#pragma once

// Keeps the order of rows from telling what is blocked. An engine that walks an index gives rows in
// the index's order, unasked: "SELECT id FROM account" comes in the order of e-mail addresses where
// an index over them is the shortest way to all ids, and LIMIT then chooses by it.

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "guard/analyze.h"
#include "guard/approved.h"
#include "privacy/policy.h"
#include "sql/dialect.h"

namespace schemaward::guard {

/// What was done about the indexes that hold blocked columns.
struct HiddenOrder {
  /// The tree has hints against them.
  bool has_hints = false;
  /// The engine takes no hints: it must be told to keep off such scans, or plans.
  /// By name and value; a connector sets them for the statement alone.
  std::vector<std::pair<std::string, std::string>> settings;
  /// What the texts of views read that now stand in the statement, since a hint reaches into no
  /// view. By schema and table.
  std::vector<TableRead> inside;
};

/// Puts hints on the tree so that no index with a blocked column in it decides on an order: NOT
/// INDEXED in SQLite, IGNORE INDEX in MySQL. A column that the statement may compare decides
/// nothing that its condition does not tell. DuckDB reads tables in their own order, and is kept
/// from choosing the order of joins by estimates where a blocked column could be among them; SQLite
/// is kept from making an index for a join there.
/// A table that stands by a blocked key or by partitions of one is sorted (sorted_rows.h).
/// Does not see: indexes that are not in the catalog, columns that PostgreSQL's indexes only carry
/// along.
/// Errors: PolicyBlocked for a view that would have to stand in the statement and cannot.
Result<HiddenOrder> HideOrder(Analysis& analysis, const privacy::Policy& policy,
                              const sql::Dialect& dialect, TableLookup& lookup);

}  // namespace schemaward::guard
