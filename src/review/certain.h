#pragma once

// Which stops of our reader are certainly no SQL, where no grammar of the engine can be asked.

#include <cstddef>
#include <string_view>

#include "sql/dialect.h"

namespace schemaward::review {

/// True where a statement that our reader stops at, `at` bytes in, cannot be right in any version
/// of the engine: a quote or bracket that is not closed, a condition without an operand, a word
/// that no grammar has where no name can stand. Another stop may be a form that the reader does not
/// know. Thread: any.
bool IsSurelyWrong(std::string_view statement, std::size_t at, const sql::Dialect& dialect);

}  // namespace schemaward::review
