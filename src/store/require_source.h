#pragma once

// For files of this module only.

#include <cstdint>

#include "store/impl.h"

namespace schemaward::store {

/// Errors: UnknownSource where the source is not in the store (any more).
Status RequireSource(Connection& connection, std::int64_t source_id);

}  // namespace schemaward::store
