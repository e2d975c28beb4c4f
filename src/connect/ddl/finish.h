#pragma once

// From the state after the last statement to catalog::Database.

#include <vector>

#include "catalog/catalog.h"
#include "connect/ddl/state.h"

namespace schemaward::connect::ddl {

/// Moves tables and views out of `state`, sorted: partitions folded into their root, foreign keys
/// resolved, temporary tables left out. Adds to `missing` what a table lacks.
std::vector<catalog::Table> Finish(SchemaState& state, std::vector<catalog::Missing>& missing);

}  // namespace schemaward::connect::ddl
