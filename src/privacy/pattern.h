#pragma once

// Patterns of names in policy files.

#include <string_view>

namespace schemaward::privacy {

/// True when `name` fits `pattern`: * stands for any run of characters, ASCII letters are compared
/// without case. Linear in name times stars. Thread: any.
bool MatchesPattern(std::string_view pattern, std::string_view name);

/// The same with case: who a token speaks of and what it allows are compared byte by byte, and Ana
/// is not ana.
bool MatchesPatternWithCase(std::string_view pattern, std::string_view name);

/// True when a pattern of tables fits: one with a dot outside quotes is compared with schema.table,
/// one without with the table's name alone. Parts may be double-quoted.
bool MatchesTable(std::string_view pattern, std::string_view schema, std::string_view table);

}  // namespace schemaward::privacy
