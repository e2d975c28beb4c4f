#pragma once

// Reads the catalog of a database file.

#include <string>

#include "base/result.h"
#include "catalog/catalog.h"
#include "connect/sqlite/session.h"

namespace schemaward::connect::sqlite_engine {

/// Tables past this number are not read; the catalog says so in `missing`.
inline constexpr std::size_t kTablesMax = 200'000;

/// Returns the catalog that `session` (of Mode::Introspect) sees, named `name`. The number of
/// statements does not depend on the number of tables, but for one more per kEstimatesPerStatement
/// tables and one per view that SQLite could not resolve at once. What cannot be read (a view over
/// a table that is gone, a virtual table without its module) is listed in `missing`. Row estimates
/// come from sqlite_stat1, else from the highest rowid: an upper estimate, found by one seek, and
/// left out where it can be no count or would show a protected value. Errors: as Session::Step.
Result<catalog::Database> ReadCatalog(Session& session, const std::string& name);

/// Returns a text that changes with the schema and when another file takes the path.
Result<std::string> ReadFingerprint(Session& session);

}  // namespace schemaward::connect::sqlite_engine
