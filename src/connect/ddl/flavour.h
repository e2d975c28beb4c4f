#pragma once

// What a file is that is no PostgreSQL script, or not only.

#include <string>
#include <string_view>

#include "base/result.h"

namespace schemaward::connect::ddl {

/// Errors: InputUnreadable for compressed files, pg_dump's archives, databases and other binaries,
/// with what to do as the hint.
Status RefuseNoScript(std::string_view script);

/// Returns what to do with a script whose statements mostly fail, in full sentences.
std::string FlavourHint(std::string_view script);

/// Returns the server version that pg_dump notes at the top of its output, or an empty text.
std::string DumpedVersion(std::string_view script);

}  // namespace schemaward::connect::ddl
