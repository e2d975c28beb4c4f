#pragma once

// Turns the answers of the catalog queries into a catalog::Database. Pure: no server in sight.

#include "catalog/catalog.h"
#include "connect/postgres/reply.h"

namespace schemaward::connect::postgres {

struct CatalogReplies {
  Reply relations, columns, types, constraints, indexes, statistics;
};

/// Returns tables and what is missing; the names of database, engine and version are the caller's
/// to fill in. Partitions are folded into the uppermost parent: counted (at every level), and their
/// rows summed. What the role may not read is left out and named in `missing`, and so is any key or
/// index that names such a column; a foreign key to a table that may not be read stays. Thread:
/// any.
catalog::Database BuildCatalog(const CatalogReplies& replies);

}  // namespace schemaward::connect::postgres
