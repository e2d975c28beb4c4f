#pragma once

// Prints a statement tree for a dialect: names always quoted, values always bound.

#include <string>
#include <vector>

#include "base/result.h"
#include "sql/dialect.h"
#include "sql/statement.h"

namespace schemaward::sql {

/// Text and the values of its parameters in order.
struct Rendered {
  std::string text;
  std::vector<Literal> parameters;
};

/// Returns `select` in `dialect`, one line, no semicolon. Errors: Internal when the tree holds an
/// operator outside the closed list or is nested deeper than the renderer goes.
Result<Rendered> Render(const Select& select, const Dialect& dialect);

}  // namespace schemaward::sql
