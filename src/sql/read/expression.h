#pragma once

// The text of expressions in definitions, to a tree and back. One small language for all dialects:
//
//   or, and, not            = <> != < <= > >=, IS [NOT] NULL | TRUE | FALSE, IS [NOT] DISTINCT
//   FROM,
//   + - * /                 [NOT] IN (...), [NOT] BETWEEN a AND b, [NOT] LIKE
//   ||                      CASE, CAST(x AS type), x::type
//   column, entity.column   COALESCE, NULLIF, ABS, ROUND, LOWER, UPPER, TRIM, LENGTH, FLOOR, CEIL
//   1, 1.5, 'text', true, false, null
//
// A name is taken as it is written, quoted ("a b") or not; keywords and functions have no case.
// Binding, weakest first: or, and, not, comparisons, ||, + -, * /, sign, ::. A division is a
// Ratio, so 1 / 2 is 0.5. BETWEEN becomes two comparisons. LIKE is the engine's own. Neither
// selects, aggregates, parameters nor comments are read.

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "sql/statement.h"

namespace schemaward::sql {

inline constexpr std::size_t kExpressionTextMax = 8'192;  ///< bytes
/// Levels of the tree that is made; well under kExpressionDepthMax, since the expression is put
/// into others.
inline constexpr int kReadDepthMax = 60;
inline constexpr std::size_t kReadItemsMax = 1'000;  ///< of one list

/// Returns the tree that `text` spells. Errors: SqlSyntax, with the bytes it is about and what was
/// expected there; a function that is not listed is named with the nearest that is. Thread: any.
Result<ExpressionPtr> ReadExpression(std::string_view text);

/// Returns `expression` as text that ReadExpression reads to an equal tree; brackets stand where
/// they are needed. A node that the language does not have is printed as its name in angle
/// brackets. Thread: any.
std::string PrintExpression(const ExpressionPtr& expression);

/// The word of a type in CAST. Lifetime: static.
std::string_view WordOf(CastType type);

}  // namespace schemaward::sql
