#pragma once

// A tree back into text: one line, every name quoted, every literal in canonical form.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sql/dialect.h"
#include "sql/query/tree.h"

namespace schemaward::sql::query {

/// A statement as it is sent. The i-th placeholder takes the value `order[i]` (from 0): a dialect
/// without numbered placeholders repeats a value that the text names twice.
struct Printed {
  std::string text;
  std::vector<std::size_t> order;
};

/// Prints the statement; of an EXPLAIN the query that it explains. What is printed reads back as a
/// tree that prints the same. Errors: Internal when the tree lacks a part or is nested too deeply.
Result<Printed> Print(const Statement& statement, const Dialect& dialect);

/// A string literal of the dialect. Requires: no zero byte. PostgreSQL's is right where
/// standard_conforming_strings is on, MySQL's where NO_BACKSLASH_ESCAPES is off: sessions pin both.
std::string QuoteText(std::string_view text, const Dialect& dialect);

}  // namespace schemaward::sql::query
