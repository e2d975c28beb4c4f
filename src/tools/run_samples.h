#pragma once

// Sample rows that one run reads before its first step, of tables of which the index keeps none.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"
#include "explore/limits.h"
#include "explore/warehouse.h"
#include "store/store.h"
#include "tools/services.h"

namespace schemaward::tools {

/// What was read of one table.
struct TableSample {
  std::vector<std::string> columns;
  std::vector<std::vector<std::optional<std::string>>> rows;  ///< nothing is null
  std::string none;                                           ///< why there are no rows
};

/// By qualified name. They are never kept: rows are what the caller of this run may read.
using RunSamples = std::map<std::string, TableSample>;

/// Runs one statement as a query of the run does: approved by the guard, bounded, audited.
using RunStatement = std::function<Result<explore::QueryResult>(const std::string& sql)>;

/// True where the rows of the table are not the same for all: what the index keeps of them is then
/// what another caller may read.
bool AreRowsOfCaller(const Services& services, const store::Source& source, std::string_view schema,
                     std::string_view table, const Principal& caller);

/// Reads up to kSampleRowsMax rows of each table of `source` that the caller may know of and of
/// which the index keeps no values or none of this caller's, the largest tables first; only columns
/// whose values the policy lets be read, at most kColumnsShownMax. A table that cannot be read is
/// passed over; several in a row end it, as do limits.tables_max and limits.time_max. Empty where
/// the source gives no rows. Errors: those of the index; Cancelled, DeadlineExceeded. Thread: any.
Result<RunSamples> ReadRunSamples(const Services& services, const store::Source& source,
                                  const RunStatement& run, const explore::SampleLimits& limits,
                                  CallContext& ctx);

}  // namespace schemaward::tools
