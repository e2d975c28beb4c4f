#pragma once

// Tables that are read with others: partitions with the partitioned table, children with what they
// inherit from.

#include <vector>

#include "connect/ddl/state.h"

namespace schemaward::connect::ddl {

/// The relation and all above it, each once.
std::vector<Relation*> WithAncestors(Relation& relation);

/// Fills the parents and children of each table that has some, and gives tagged comments of columns
/// to the columns above, and to those of children below. Adds what was cut to `missing`.
void AddKin(SchemaState& state, std::vector<catalog::Missing>& missing);

}  // namespace schemaward::connect::ddl
