#pragma once

// The way to search's reading side from outside this module.

#include <functional>

#include "base/result.h"
#include "store/search_store.h"
#include "store/store.h"

namespace schemaward::store {

/// Calls `ask` with a reader that sees one moment of the store: what is indexed meanwhile is not
/// seen. Returns what `ask` returns. Thread: any. Errors: as Store. Lifetime: the reader is for the
/// call only.
Status WithSearch(Store& store, const std::function<Status(SearchReader&)>& ask);

}  // namespace schemaward::store
