#pragma once

// Turns the answers of the catalog queries into a catalog::Database. Pure: no server in sight.

#include "catalog/catalog.h"
#include "connect/mysql/flavour.h"
#include "connect/mysql/reply.h"

namespace schemaward::connect::mysql {

struct CatalogReplies {
  Reply tables, columns, indexes, keys, actions, checks, views, partitions;
};

/// Returns tables and what is missing; the names of database, engine and version are the caller's
/// to fill in. What the role may not read is left out and named in `missing`, and so is a view that
/// refers to what is gone; the server does not tell of tables for which the role has no right at
/// all. A foreign key to a table that may not be read stays. The index of a primary or unique key
/// is not listed once more. Thread: any.
catalog::Database BuildCatalog(const ServerInfo& server, const CatalogReplies& replies);

}  // namespace schemaward::connect::mysql
