#pragma once

// What DuckDB's texts mean.

#include <string>
#include <string_view>

#include "base/error.h"

namespace schemaward::connect::duckdb {

/// What was being done when the engine failed. Query: an approved statement, whose names were
/// checked against the index, so a name that is not there means drift.
enum class During : std::uint8_t { Open, Catalog, Query };

/// Returns the error that `text`, as DuckDB prints it, stands for. A held lock names the program
/// and process that hold it. The text itself stays private. Thread: any.
Error MakeError(std::string_view text, During during);

/// True where the text says that the statement was interrupted.
bool IsInterrupt(std::string_view text);

/// True where the text says that another process holds the file's lock.
bool IsLocked(std::string_view text);

/// True where the engine says that the database cannot be used any more.
bool IsFatal(std::string_view text);

}  // namespace schemaward::connect::duckdb
