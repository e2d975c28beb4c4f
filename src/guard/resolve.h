#pragma once

// Resolves the names of a tree against the tables that it may read.

#include <vector>

#include "base/result.h"
#include "catalog/catalog.h"
#include "sql/statement.h"

namespace schemaward::guard {

/// A column that a tree reads, wherever in the tree it stands. Lifetime: views of the catalog given
/// to Resolve.
struct ColumnRead {
  const catalog::Table* table;
  const catalog::Column* column;
};

/// What a tree reads: each table once and each column once, in order of first use.
struct Reads {
  std::vector<const catalog::Table*> tables;
  std::vector<ColumnRead> columns;
};

/// Finds every table and column of `select` in `tables`. Names are compared byte for byte: our own
/// code writes what the catalog says. An unqualified column may be an output's alias in ORDER BY
/// only. Errors: SqlUnknownName when a table or column is not there, or an unqualified column fits
/// several tables; NotARead when a function is not on the list; Internal when an alias stands
/// twice, or the tree is nested too deeply or too large.
Result<Reads> Resolve(const sql::Select& select, const std::vector<catalog::Table>& tables);

}  // namespace schemaward::guard
