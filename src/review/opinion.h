#pragma once

// What an engine's own grammar says of a statement, where the program has that grammar:
// PostgreSQL's (libpg_query, of version 15) and SQLite's. Nothing is executed, and no name is
// looked up.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sql/dialect.h"

namespace schemaward::review {

enum class Opinion : std::uint8_t {
  None,     ///< no grammar is at hand, or the statement is not one to ask it of
  Taken,    ///< it is SQL of the dialect
  Refused,  ///< it is not
};

struct Judged {
  Opinion opinion = Opinion::None;
  std::size_t at = 0;  ///< of Refused: the byte of the statement where the grammar stopped
};

/// Asks the dialect's grammar about one statement. DuckDB's forms are more than PostgreSQL's: for
/// it the answer is Taken or None. Thread: any.
Judged OpinionOf(std::string_view statement, const sql::Dialect& dialect);

}  // namespace schemaward::review
