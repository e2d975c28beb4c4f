#pragma once

// Prints a statement tree for a dialect: names always quoted, values always bound.

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "sql/dialect.h"
#include "sql/statement.h"

namespace schemaward::sql {

/// Bounds of what is printed. An expression deeper than kExpressionDepthMax would near the stack of
/// an engine's parser.
inline constexpr int kExpressionDepthMax = 100;
inline constexpr std::size_t kExpressionNodesMax = 200'000;
inline constexpr int kSelectDepthMax = 40;

/// Text and the values of its parameters in order.
struct Rendered {
  std::string text;
  std::vector<Literal> parameters;
};

/// Returns `select` in `dialect`, one line, no semicolon. `is` and `is not` compare with nulls as
/// values and are printed in the dialect's own words; `||` is concat() where the dialect reads it
/// as "or". Errors: Internal when the tree holds an operator outside the closed list, a function
/// whose name is not a plain word, an empty name, no columns or no table, or is larger or nested
/// deeper than the renderer goes.
Result<Rendered> Render(const Select& select, const Dialect& dialect);

}  // namespace schemaward::sql
