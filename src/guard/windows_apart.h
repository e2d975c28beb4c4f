#pragma once

// Inside guard/: relations that MariaDB may not take apart beside a window.

#include <set>

#include "guard/analyze.h"
#include "sql/query/tree.h"

namespace schemaward::guard {

/// The selects of `query`, at any depth, that have a window in their outputs or their ORDER BY.
std::set<const sql::query::Core*> SelectsWithWindows(const sql::query::Query& query);

/// MariaDB (10.11.19) ends, with all its sessions, of a select that has a column in a window and in
/// ORDER BY or GROUP BY, where it has merged the relation that the column is of into the select and
/// that relation is called as a table inside it is:
///     SELECT lag(t.c) OVER (ORDER BY t.c) FROM (SELECT c FROM t) AS t ORDER BY t.c
/// Gives such derived and common tables a limit that nothing reaches, with which it merges none.
/// `windows`: as SelectsWithWindows says. A view is left to the caller.
void KeepApart(sql::query::Query& query, const std::set<const sql::query::Core*>& windows,
               const Analysis& analysis);

/// True where a table that the view is made of, or another view does, may be called `alias`.
bool MayHoldName(const Analysis& analysis, const sql::query::Name& alias);

}  // namespace schemaward::guard
