#pragma once

// Walks over expressions: what stands under a node, and trees with some columns put in place of
// others.

#include <functional>

#include "base/result.h"
#include "sql/statement.h"

namespace schemaward::sql {

/// Returns `node` with each operand replaced by what `change` returns for it. Operands are asked
/// for in print order; those of the selects inside Exists are not. Errors: those of `change`.
using ChangeOperand = std::function<Result<ExpressionPtr>(const ExpressionPtr&)>;
Result<ExpressionPtr> WithOperands(const Expression& node, const ChangeOperand& change);

/// Returns `expression` with each column replaced by what `change` returns for it; null keeps the
/// column. What is put in place is not looked at again. Selects inside Exists keep their columns.
/// Errors: those of `change`; Internal when an operand is absent or nested deeper than
/// kExpressionDepthMax.
using ChangeColumn = std::function<Result<ExpressionPtr>(const ColumnRef&)>;
Result<ExpressionPtr> RewriteColumns(const ExpressionPtr& expression, const ChangeColumn& change);

/// Calls `visit` for each column of `expression`, in print order. Errors: as RewriteColumns.
Status VisitColumns(const ExpressionPtr& expression,
                    const std::function<Status(const ColumnRef&)>& visit);

}  // namespace schemaward::sql
