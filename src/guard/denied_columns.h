#pragma once

// Inside guard/: columns under NOT that MariaDB reads from inside a select.

#include "sql/query/tree.h"

namespace schemaward::guard {

/// MariaDB (10.11.19) ends, with all its sessions, of a column of a select around that is denied in
/// HAVING, or in the select of a comparison by IN beside GROUP BY:
///     SELECT (SELECT max(id) FROM note HAVING (NOT c.id) = max(id)) FROM payment AS c
/// What is denied in the selects of expressions becomes a comparison: NOT (c.id <> 0).
void CompareDeniedColumns(sql::query::Query& query);

}  // namespace schemaward::guard
