#pragma once

// What the store keeps of query logs: what each said when it was last read, and queries as
// examples.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/store.h"

namespace schemaward::store {

/// A table that a query reads.
struct MinedTable {
  std::int64_t table_id = 0;
  std::vector<std::string> columns;  ///< of it that stand in the query, in the table's order
  bool operator==(const MinedTable&) const = default;
};

/// A query that was seen in a query log, its constants replaced.
struct MinedQuery {
  std::string sql;
  std::int64_t calls = 0;
  std::vector<MinedTable> tables;  ///< sorted by id
  std::string origin;              ///< of its log; ignored when it is put
  bool operator==(const MinedQuery&) const = default;
};

/// One query log of a source. (source_id, origin) is unique.
struct MinedLog {
  std::string origin;     ///< pg_stat_statements | file
  std::string stamp;      ///< changes when what was read of the log does
  std::string body_json;  ///< what it said; src/suggest knows what is in it
  bool operator==(const MinedLog&) const = default;
};

/// Queries kept of one log; those with the most calls.
inline constexpr std::size_t kMinedMax = 10'000;

/// The logs of a source, sorted by origin.
Result<std::vector<MinedLog>> ListMinedLogs(Store& store, std::int64_t source_id);

/// Makes `log` and `queries` what is kept of its origin, in one transaction. Errors: UnknownSource;
/// as Store.
Status PutMinedLog(Store& store, std::int64_t source_id, const MinedLog& log,
                   std::vector<MinedQuery> queries);

/// Forgets a log and its queries; nothing where there is none. Errors: as PutMinedLog.
Status RemoveMinedLog(Store& store, std::int64_t source_id, std::string_view origin);

/// Queries that read a table, most calls first, then by text and origin; at most `limit`.
Result<std::vector<MinedQuery>> MinedQueriesOf(Store& store, std::int64_t table_id,
                                               std::size_t limit);

}  // namespace schemaward::store
