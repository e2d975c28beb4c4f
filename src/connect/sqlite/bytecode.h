#pragma once

// What SQLite's own program of a statement reads: the last look before it runs. The authorizer is
// told of columns by name, but not of those that USING and NATURAL compare; the program reads each
// by its place in a table or an index that it opened.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "connect/sqlite/session.h"

namespace schemaward::connect::sqlite_engine {

/// A column of a table that a program takes out of a row or seeks by.
struct ColumnRead {
  std::string table;
  std::string column;
  auto operator<=>(const ColumnRead&) const = default;
};

/// Returns what the program of `sql` reads, sorted, without repeats. Left out: virtual tables, row
/// ids, expressions in indexes, and tables with generated columns or more than kColumnsMax columns,
/// of which SQLite reads more than it was asked for.
/// Errors: as Session::Prepare and Session::Step.
Result<std::vector<ColumnRead>> ColumnsOfProgram(Session& session, std::string_view sql);

inline constexpr std::size_t kColumnsMax = 63;

}  // namespace schemaward::connect::sqlite_engine
