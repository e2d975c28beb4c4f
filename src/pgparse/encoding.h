#pragma once

// Bytes of a script to UTF-8.

#include <string>
#include <string_view>

namespace schemaward::pgparse {

/// True for well-formed UTF-8 (no surrogates, nothing overlong).
bool IsUtf8(std::string_view text);

/// True where `setting`, a SET client_encoding statement, names LATIN1 or what includes it.
bool NamesLatin1(std::string_view setting);

std::string Latin1ToUtf8(std::string_view text);

}  // namespace schemaward::pgparse
