#pragma once

// The words of the grammars that the program does not hold.

#include <string_view>

namespace schemaward::review {

/// True where MySQL, MariaDB or DuckDB has the word, in upper case, in its grammar. Thread: any.
bool IsWordOfAGrammar(std::string_view upper);

}  // namespace schemaward::review
