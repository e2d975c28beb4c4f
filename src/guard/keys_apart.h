#pragma once

// Inside guard/: keys of groups and of sorting that MariaDB may not take for another value.

#include "sql/query/tree.h"

namespace schemaward::guard {

/// MariaDB (10.11.19) ends, with all its sessions, of a select that groups or sorts by a call that
/// it makes elsewhere too, where an argument is a select and in it a recursive common table is
/// read:
///     SELECT upper((SELECT t FROM c LIMIT 1)) FROM note ORDER BY upper((SELECT t FROM c LIMIT 1))
/// It takes arguments of one text for one value, and drops the second select with what it reads.
/// Where a statement has a recursive common table, such arguments of keys (of a window too) become
/// another text: CASE WHEN TRUE THEN (SELECT ..) END.
void MakeKeysApart(sql::query::Query& query);

}  // namespace schemaward::guard
