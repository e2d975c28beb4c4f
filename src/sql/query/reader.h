#pragma once

// Text of one statement into its tree.

#include <string_view>

#include "base/result.h"
#include "sql/dialect.h"
#include "sql/query/tree.h"

namespace schemaward::sql::query {

inline constexpr int kReadDepthMax = 80;  ///< nested expressions, selects and joins together

/// Reads one statement; a semicolon may end it. Pure; thread: any. Errors: SqlSyntax with the bytes
/// and what was expected; NotARead for a statement, clause or type that no read has (a second
/// statement, INTO, FOR UPDATE, a variable): what is not known is refused.
Result<Statement> Read(std::string_view text, const Dialect& dialect);

/// Reads one expression, such as a policy's row filter. Errors: as Read.
Result<ExpressionPtr> ReadCondition(std::string_view text, const Dialect& dialect);

}  // namespace schemaward::sql::query
