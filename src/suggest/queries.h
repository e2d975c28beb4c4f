#pragma once

// Query logs: read, kept in the store, and what they say of joins.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "json/fields.h"
#include "querylog/evidence.h"
#include "store/store.h"

namespace schemaward::suggest {

inline constexpr const char* kFileOrigin = "file";    ///< statements that files gave
inline constexpr const char* kViewsOrigin = "views";  ///< the selects of the index's own views

/// A query log as it lies.
struct QueryLog {
  std::string origin;  ///< kFileOrigin, or the engine's own name for it: pg_stat_statements
  std::vector<querylog::Entry> entries;
  std::vector<std::string> search_path;  ///< empty: the engine's usual schemas
  std::string note;  ///< why there is no log, or not all of it; one line, safe to show
  bool is_there = true;
};

/// What became of one log.
struct MinedLog {
  std::string origin;
  querylog::Counts counts;
  std::int64_t joins = 0;     ///< different joins that it shows
  bool is_unchanged = false;  ///< nothing new since it was last read: nothing was written
  std::string note;
  void Bind(json::Fields& f);
};

/// Returns one line for people, and one more for each statement that is named as unread.
std::string ToText(const MinedLog& log);

/// Reads `log` against the index of `source` and keeps what it says in place of what it said
/// before; a log that is not there leaves that as it is. A log whose statements are the same is not
/// read again while the index is the same and its calls grew by less than a tenth. `tables`: all of
/// the index. Errors: as querylog::Read and Store.
Result<MinedLog> KeepQueryLog(store::Store& store, const store::Source& source,
                              const std::vector<catalog::Table>& tables, const QueryLog& log,
                              CallContext& ctx);

/// Reads the selects of the views in `tables` as a log, for their joins alone: a view is no query
/// that ran. Nothing where no view has one. Errors: as KeepQueryLog.
Result<std::optional<MinedLog>> KeepViews(store::Store& store, const store::Source& source,
                                          const std::vector<catalog::Table>& tables,
                                          CallContext& ctx);

/// False where KeepQueryLog would find nothing new. Errors: as Store.
Result<bool> IsNew(store::Store& store, const store::Source& source, const QueryLog& log);

/// Returns the joins that all kept logs of a source show. A query may stand in several logs, so the
/// log that shows a join most counts for its observations; calls are added up. Errors: as Store.
Result<std::vector<querylog::ObservedJoin>> ObservedJoins(store::Store& store,
                                                          std::int64_t source_id);

/// Reads a log against tables without keeping anything. Errors: as querylog::Read.
Result<querylog::Evidence> ReadQueryLog(const store::Source& source,
                                        const std::vector<catalog::Table>& tables,
                                        const QueryLog& log, CallContext& ctx);

}  // namespace schemaward::suggest
