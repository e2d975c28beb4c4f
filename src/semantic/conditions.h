#pragma once

// A filter leaf as a condition of the statement tree.

#include "base/result.h"
#include "semantic/columns.h"
#include "semantic/question.h"
#include "semantic/time_range.h"
#include "sql/statement.h"

namespace schemaward::semantic {

/// Returns the condition `column op value` where `column` is the target's expression. Nulls: eq
/// null is is_null; ne and not_in hold for null values, since a null is not the value. Times are
/// compared as moments, read in the question's zone. Errors: MalformedName when the op is none
/// (near ops), or the value does not fit the op or the column's type.
Result<sql::ExpressionPtr> ConditionOf(const ColumnTarget& target, const sql::ExpressionPtr& column,
                                       const FilterLeaf& leaf, const Clockwork& clock);

/// The same for a metric's value, a number.
Result<sql::ExpressionPtr> HavingOf(const sql::ExpressionPtr& value, const Having& having);

/// One line in words: order.status in (paid, shipped).
std::string Describe(std::string_view column, const FilterLeaf& leaf);

}  // namespace schemaward::semantic
