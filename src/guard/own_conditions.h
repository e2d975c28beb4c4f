#pragma once

// Conditions that may be tried on a table before anything else of a select is, so that an index is
// used where what stands around the table must wait.

#include <vector>

#include "catalog/catalog.h"
#include "sql/dialect.h"
#include "sql/query/tree.h"

namespace schemaward::guard {

/// Returns copies of the conditions of `core`'s WHERE that must all hold, that are about `table`
/// alone and that no row can make fail: a column of it compared with values. Their columns are
/// written as `table`'s own. A row that does not meet one is in no row of the result, also where
/// the table is the outer side of a join, since NULL meets none of them; so leaving such rows out
/// first changes nothing. `place` is where the table stands in `core`, whose names are resolved;
/// empty where it stands deeper, and for DuckDB, where a comparison can fail. Pure; thread: any.
std::vector<sql::query::ExpressionPtr> OwnConditions(const sql::query::Core& core,
                                                     const catalog::Table& table,
                                                     const sql::query::TableExpression& place,
                                                     const sql::Dialect& dialect);

}  // namespace schemaward::guard
