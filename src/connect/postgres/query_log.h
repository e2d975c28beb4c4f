#pragma once

// pg_stat_statements: where it is, what is asked of it.

#include <string>
#include <string_view>
#include <vector>

namespace schemaward::connect::postgres {

inline constexpr std::string_view kLogName = "pg_stat_statements";

/// Ends each statement that Schemaward sends for a caller, so that what it asked itself is no
/// evidence later: the log keeps comments.
inline constexpr std::string_view kOwnMark = " /* schemaward */";

/// Bytes of all texts together that are taken of the log.
inline constexpr long kLogBytesMax = 16L << 20;

/// Column positions of PlaceQuery's one row.
enum class PlaceField : std::size_t { Schema, SearchPath, User, MayReadAll };

/// Where the extension is (null: it is not there), how a new session of this role looks for names,
/// and whether the role reads the statements of others.
std::string_view PlaceQuery();

/// Returns the query for the statements with the most calls: text, calls. $1: how many. `schema`:
/// as quote_ident gives it. Statements that are no queries, that read the catalog or that
/// Schemaward sent are left out.
std::string StatementsQuery(std::string_view schema);

/// Returns the schemas of a search_path setting, $user replaced.
std::vector<std::string> SplitSearchPath(std::string_view setting, std::string_view user);

}  // namespace schemaward::connect::postgres
