#pragma once

// The whole way from a query log to what it says of a database.

#include <cstddef>
#include <string>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "querylog/evidence.h"

namespace schemaward::querylog {

struct ReadOptions {
  /// Where tables without a schema are looked for, in order; SET search_path in the log changes it
  /// for what follows.
  std::vector<std::string> search_path = {"public", "main", "dbo"};
};

inline constexpr std::size_t kStatementsMax = 200'000;      ///< of one log; more are ByteCap
inline constexpr std::size_t kStatementBytesMax = 100'000;  ///< longer ones are not read
inline constexpr std::size_t kQueryBytesMax = 4'000;        ///< of an example
inline constexpr std::size_t kQueriesPerTableMax = 20;      ///< examples, most calls first
inline constexpr std::size_t kQueriesMax = 10'000;          ///< examples in all
inline constexpr std::size_t kJoinsMax = 20'000;            ///< most statements first

/// Reads a log against the tables of an index. Each statement stands alone: what cannot be read is
/// counted, and the first ones are named. Statements that differ in constants and comments only are
/// one. An example is a SELECT that writes and locks nothing and whose every table and column is
/// one of the index, so that no constant can stand in it under the guise of a name. Errors: ByteCap
/// past kStatementsMax; Cancelled, DeadlineExceeded; Internal where the parser's thread cannot be
/// had. Thread: any; works on one of its own.
Result<Evidence> Read(const std::vector<Entry>& log, const std::vector<catalog::Table>& tables,
                      const ReadOptions& options, CallContext& ctx);

}  // namespace schemaward::querylog
