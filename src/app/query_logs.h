#pragma once

// Where query logs come from: files that are named, and the engine's own log.

#include <string>
#include <vector>

#include "app/config.h"
#include "connect/connector.h"
#include "store/store.h"
#include "suggest/queries.h"

namespace schemaward::app {

struct QueryLogOptions {
  std::vector<std::string> files;  ///< absolute; none: what files said before stays
  bool ask_engine = false;
};

/// Statements that are asked for of an engine's log.
inline constexpr std::size_t kLoggedQueriesMax = 5'000;

/// What the configuration says: suggest.queries and suggest.query_log.
QueryLogOptions QueryLogOptionsOf(const Config& config);

/// Reads files of queries as one log. Errors: InputUnreadable naming the file; as
/// querylog::ReadStatements.
Result<suggest::QueryLog> ReadQueryFiles(const std::vector<std::string>& files);

/// Reads all there is. `connector`: null where the engine is not to be asked. What cannot be read
/// is a log that is not there, with a note. Thread: the connector's.
std::vector<suggest::QueryLog> ReadQueryLogs(const QueryLogOptions& options,
                                             connect::Connector* connector, CallContext& ctx);

/// Keeps what the logs, and the views of the index, say. Errors: as suggest::KeepQueryLog, but that
/// one log which is too large is a note.
Result<std::vector<suggest::MinedLog>> KeepQueryLogs(store::Store& store,
                                                     const store::Source& source,
                                                     const std::vector<catalog::Table>& tables,
                                                     const std::vector<suggest::QueryLog>& logs,
                                                     CallContext& ctx);

}  // namespace schemaward::app
