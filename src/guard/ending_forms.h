#pragma once

// Inside guard/: forms that MariaDB ends of, printed as it does not.

#include "sql/query/tree.h"

namespace schemaward::guard {

/// MariaDB (10.11.19) ends, with all its sessions, of
/// * a select that groups or sorts (in a window too) by a call that it makes elsewhere as well,
///   where an argument is a select and in it a recursive common table is read; it takes arguments
///   of one text for one value, and drops the second select with what it reads:
///       SELECT upper((SELECT t FROM c LIMIT 1)) FROM note ORDER BY upper((SELECT t FROM c LIMIT
///       1))
/// * a column of a join around that a window in ORDER BY is over:
///       SELECT (SELECT 1 FROM note ORDER BY lag(b.id) OVER (ORDER BY n) LIMIT 1) FROM a JOIN b
/// * a column of a select around that is denied in HAVING, or in the select of a comparison by IN
///   beside GROUP BY:
///       SELECT (SELECT max(id) FROM note HAVING (NOT c.id) = max(id)) FROM payment AS c
/// Such a select in a key, where a statement has a recursive common table, and such a column become
/// CASE WHEN TRUE THEN x END; what is denied in selects of expressions becomes x <> 0.
void AvoidEndingForms(sql::query::Query& query);

}  // namespace schemaward::guard
