#pragma once

// Inside guard/: a statement without what is refused of it.

#include <vector>

#include "guard/analyze.h"
#include "sql/query/tree.h"

namespace schemaward::guard {

/// Leaves the outputs and the GROUP BY and ORDER BY items out that `refused` reads, on a tree that
/// was analysed: derived and common tables, the parts of set operations and their lists of names go
/// along. Where no output is left the rows are counted. Returns false where something refused
/// decides which rows there are (a condition, a join, a select inside an expression of one): what
/// would be left answers another question. The tree is then of no use.
bool LeaveOut(sql::query::Statement& statement, const std::vector<Use>& refused);

}  // namespace schemaward::guard
