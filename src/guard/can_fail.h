#pragma once

// Inside guard/: which expressions can fail while a statement runs, by the row they are tried on.

#include "sql/dialect.h"
#include "sql/query/tree.h"

namespace schemaward::guard {

/// True where trying `expression` on a row can end the statement with an error, its operands left
/// aside: a division, a cast, a function, a select that must give one row. False for columns,
/// values, comparisons, what joins conditions, and the usual aggregates, which see only rows that
/// are left. In DuckDB a comparison converts its operands as it runs, so everything can fail there.
bool CanFail(const sql::query::Expression& expression, const sql::Dialect& dialect);

/// True where it ends a statement for one value of a row and not for another, in engines that give
/// no NULL instead: a division by what is no number of the text, a cast of a text (`is_text`: what
/// it is made of may be one), a logarithm. What is rare is left aside, such as a sum that is too
/// large.
bool FailsByValue(const sql::query::Expression& expression, bool is_text,
                  const sql::Dialect& dialect);

}  // namespace schemaward::guard
