#pragma once

// Reads the catalog of a database file.

#include <string>

#include "base/result.h"
#include "catalog/catalog.h"
#include "connect/connector.h"
#include "connect/duckdb/session.h"

namespace schemaward::connect::duckdb {

/// Tables past this number are not read; the catalog says so in `missing`.
inline constexpr std::size_t kTablesMax = 200'000;

/// Returns the catalog that `session` sees, named `name`, by a fixed number of statements. Errors:
/// as Session.
Result<catalog::Database> ReadCatalog(Session& session, const std::string& name,
                                      const Scope& scope);

/// Returns a text that changes with the schema: a hash of the engine's own CREATE texts and of the
/// comments.
Result<std::string> ReadFingerprint(Session& session);

}  // namespace schemaward::connect::duckdb
