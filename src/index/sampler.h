#pragma once

// Reads a few rows of tables for `index --sample`, through the guard like everybody else.

#include <cstdint>
#include <map>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "connect/connector.h"
#include "index/run.h"
#include "store/samples.h"

namespace schemaward::index {

/// Values by the position of their table.
using Samples = std::map<std::size_t, std::vector<store::ColumnSample>>;

/// Returns values of up to options.sample_rows rows of each table in `database`, of the columns
/// whose values the policy lets be read. A table that cannot be read is added to
/// database.missing and passed over. Bounds: kSampleTablesMax, kSampleBytesMax; a table past them
/// is passed over and said in database.missing. Errors: those after which the connection is of no
/// use, Cancelled, DeadlineExceeded.
Result<Samples> ReadSamples(connect::Connector& connector, catalog::Database& database,
                            const RunOptions& options, CallContext& ctx);

}  // namespace schemaward::index
