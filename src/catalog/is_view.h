#pragma once

#include "catalog/catalog.h"

namespace schemaward::catalog {

/// Returns true of what is defined by a query, whether or not its rows are kept.
inline bool IsView(TableKind kind) {
  return kind == TableKind::View || kind == TableKind::MaterializedView;
}

}  // namespace schemaward::catalog
