#pragma once

// ddl:FILE.sql: a PostgreSQL schema script as a source, read without a database.

#include "connect/connector.h"

namespace schemaward::connect::ddl {

/// Bytes of a script; larger ones are refused with advice.
inline constexpr std::size_t kScriptBytesMax = 512u << 20;

/// Returns the engine "ddl". Target::location is the file's path. A connector reads the file anew
/// at each call and answers no queries. Errors of Open and of the calls: SourceUnreachable when the
/// file cannot be opened or read, InputUnreadable when it is no PostgreSQL script, ByteCap when it
/// is too large.
EnginePtr MakeDdlEngine();

}  // namespace schemaward::connect::ddl
