#pragma once

// A whole script to a catalog.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"
#include "catalog/catalog.h"

namespace schemaward::connect::ddl {

/// Entries of Database::missing; what is past them is counted in one more entry.
inline constexpr std::size_t kMissingMax = 100;

/// Reads `script`. Statements that cannot be read or applied stand in `missing`, by line and first
/// words. `schemas`: those wanted; all when empty.
/// Errors: InputUnreadable when most statements are no PostgreSQL, or it is no script at all; the
/// hint says what it looks like. Cancelled, DeadlineExceeded. Thread: any; works on one of its own.
Result<catalog::Database> ReadScript(std::string_view script,
                                     const std::vector<std::string>& schemas, CallContext& ctx);

}  // namespace schemaward::connect::ddl
