#pragma once

// Text of one statement into its tree.

#include <string_view>

#include "base/result.h"
#include "sql/dialect.h"
#include "sql/query/tree.h"

namespace schemaward::sql::query {

inline constexpr int kReadDepthMax =
    240;  ///< steps of the grammar inside one another; a bracket is three

/// What to do about a function, a type or a form that is on no list: the hint of such a NotARead.
inline constexpr std::string_view kWriteWithout =
    "Only listed functions, types and forms are read, since others could change something: write "
    "the statement without it, or give it to the user, who can run it.";

/// Reads one statement; a semicolon may end it. Pure; thread: any. Errors: SqlSyntax with the bytes
/// and what was expected; NotARead for a statement, clause or type that no read has (a second
/// statement, INTO, FOR UPDATE, a variable): what is not known is refused.
/// `depth_max`: for text that our own printer made, which has more brackets than it was given.
Result<Statement> Read(std::string_view text, const Dialect& dialect,
                       int depth_max = kReadDepthMax);

/// Reads the text of a view, to find out what its columns are made of: as Read, but a cast takes
/// any type, because nothing is printed from it. Errors: as Read.
Result<Statement> ReadView(std::string_view text, const Dialect& dialect);

/// Reads one expression, such as a policy's row filter. Errors: as Read.
Result<ExpressionPtr> ReadCondition(std::string_view text, const Dialect& dialect);

}  // namespace schemaward::sql::query
