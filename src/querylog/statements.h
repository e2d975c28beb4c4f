#pragma once

// Files of queries: SQL scripts, or JSON lines.

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "querylog/evidence.h"

namespace schemaward::querylog {

inline constexpr std::size_t kFileBytesMax = 64U << 20U;
inline constexpr std::size_t kEntriesMax = 200'000;  ///< of one file

/// Returns the statements of a file. A file whose first character is `{` holds one JSON object a
/// line, {"sql": "...", "calls": 12}: `calls` is 1 where absent, other members are ignored. Any
/// other file is an SQL script: statements end with a semicolon, psql's own lines are skipped.
/// `name`: of the file, for the places. Errors: InvalidArgument naming the line of a JSON file that
/// is none; ByteCap past the bounds. Thread: any.
Result<std::vector<Entry>> ReadStatements(std::string_view text, std::string_view name);

}  // namespace schemaward::querylog
