#pragma once

// Names that PostgreSQL makes up for constraints, indexes and sequences, and its quoting.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace schemaward::connect::ddl {

/// PostgreSQL cuts names to this many bytes (NAMEDATALEN - 1).
inline constexpr std::size_t kNameBytesMax = 63;

/// Returns name1_name2_label, the longer of the two names shortened until it fits kNameBytesMax;
/// characters are not cut apart. Source: PostgreSQL's makeObjectName.
std::string ObjectName(std::string_view name1, std::string_view name2, std::string_view label);

/// Returns the columns of a made-up key name: joined by _, cut like a name.
std::string JoinedColumns(const std::vector<std::string>& columns);

/// Returns `name` as PostgreSQL prints it: quoted unless it is lower-case and no reserved word.
std::string QuoteIdent(std::string_view name);

/// Returns `text` as an SQL string literal.
std::string QuoteLiteral(std::string_view text);

}  // namespace schemaward::connect::ddl
