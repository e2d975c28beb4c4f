#pragma once

// Inside guard/: values of DuckDB that grow where its memory limit does not look: what a lambda
// makes, and lists that are one value.

#include "sql/query/tree.h"

namespace schemaward::guard {

/// True where the lambda of `call` may more than add to the first value that it is given, as in
/// (a, b) -> a || a. `by_any`: functions that are not known to make it no larger are taken to.
bool MayMultiply(const sql::query::Expression& call, bool by_any);

}  // namespace schemaward::guard
