#pragma once

// Which columns an engine cannot do without. What a statement names and what it reads differ: of
// `0 AND x` SQLite drops x while it still reads the text, and an index without x is enough then.

#include <cstddef>
#include <set>

#include "catalog/catalog.h"
#include "sql/dialect.h"
#include "sql/query/tree.h"

namespace schemaward::guard {

/// Returns the positions of the columns of `table` that `core` needs whatever an engine simplifies:
/// plain outputs, keys of groups, arguments of aggregates, and sides of comparisons that all must
/// hold. `place` is where the table stands, the only time, in a core whose names are resolved.
/// Columns that stand otherwise are left out, so a set that is too small. Pure; thread: any.
std::set<std::size_t> NeededColumns(const sql::query::Core& core, const catalog::Table& table,
                                    const sql::query::TableExpression& place,
                                    const sql::Dialect& dialect);

}  // namespace schemaward::guard
