#pragma once

// Inside the store: a row of the table source.

#include "base/result.h"
#include "sqlite/sqlite.h"
#include "store/store.h"

namespace schemaward::store {

/// Reads the columns id, name, engine, location, secret_ref, database, engine_version, fingerprint,
/// generation, indexed_at_us, table_count, view_count, missing, schemas, in this order.
Result<Source> SourceOfRow(const sqlite::Statement& row);

}  // namespace schemaward::store
