#pragma once

// `index --classify-content`: what columns hold by a check of some of their values. The values pass
// through memory; what is kept is the verdict.

#include <cstddef>
#include <set>

#include "base/call_context.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "connect/connector.h"
#include "index/run.h"
#include "store/store.h"

namespace schemaward::index {

inline constexpr std::int64_t kContentRows = 200;  ///< of each table

/// Gives the columns of `to` the verdicts that columns of the same name and type have in `from`.
void CarryVerdicts(const catalog::Table& from, catalog::Table& to);

/// The same for every table of the source that the store has. Requires: database.tables sorted by
/// schema, then name. Errors: as Store.
Status CarryVerdicts(store::Store& store, const store::Source& source, catalog::Database& database);

/// Reads up to kContentRows rows of each table, of text and number columns whose values the policy
/// lets be read, and sets their verdicts. Returns the positions of tables whose verdicts changed. A
/// table that cannot be read keeps its verdicts and is added to database.missing. Bounds: as
/// ReadSamples. Errors: those after which the connection is of no use, Cancelled, DeadlineExceeded.
Result<std::set<std::size_t>> CheckContent(connect::Connector& connector,
                                           catalog::Database& database, const RunOptions& options,
                                           CallContext& ctx);

}  // namespace schemaward::index
