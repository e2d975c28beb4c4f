#pragma once

// Inside of compile: aggregates as expressions of a statement.

#include "semantic/plan.h"
#include "sql/statement.h"

namespace schemaward::semantic {

/// count(*)
sql::ExpressionPtr CountRows();

/// A call of one argument.
sql::ExpressionPtr Call1(const char* function, sql::ExpressionPtr argument, bool distinct = false);

/// Returns the aggregate over `value`; a null value counts rows.
sql::ExpressionPtr AggregateExpression(const Aggregate& aggregate, sql::ExpressionPtr value);

}  // namespace schemaward::semantic
