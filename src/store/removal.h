#pragma once

// Inside the store: every table that holds something of an object or a source, for taking it out.

#include <cstdint>

#include "base/result.h"
#include "store/impl.h"

namespace schemaward::store {

/// Removes what is kept of a table but for search's part, whose writer the caller has. Requires: a
/// transaction.
Status RemoveRowsOfObject(Connection& connection, std::int64_t object_id);

/// Removes a source with all its tables. Requires: a transaction.
Status RemoveRowsOfSource(Connection& connection, std::int64_t source_id);

}  // namespace schemaward::store
