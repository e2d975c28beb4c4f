#pragma once

// Inside guard/: the order that a view's own text ends in.

#include <vector>

#include "catalog/catalog.h"
#include "sql/dialect.h"
#include "sql/query/tree.h"

namespace schemaward::guard {

/// Returns what the text of `view` sorts its rows by, by the view's columns, as far as these are
/// its columns and not `hidden`: an engine that joins the view need not keep to it. Thread: any.
std::vector<sql::query::OrderItem> OrderOfView(const catalog::Table& view,
                                               const std::vector<bool>& hidden,
                                               const sql::Dialect& dialect);

}  // namespace schemaward::guard
