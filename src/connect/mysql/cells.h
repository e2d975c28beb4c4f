#pragma once

// Values between the server's text and Cells, and the names of result types. [R-VAL-1]

#include <optional>
#include <string>

#include "connect/connector.h"
#include "connect/mysql/reply.h"

namespace schemaward::connect::mysql {

/// Returns a value of `field` as a cell. Integers, also of tinyint(1), which can hold more than two
/// values, years and bits stay integers, those beyond 64 bits with a sign become exact decimals;
/// floats become what they are; decimals stay exact text; what is binary, geometry too, becomes its
/// bytes. A datetime is ISO 8601 with a T; a timestamp, which is an instant, has +00:00. Dates that
/// no calendar has (0000-00-00, 2024-02-00) stay the server's text. Requires: the session's zone is
/// UTC. Thread: any.
Cell MakeCell(const Field& field, std::optional<std::string> value);

/// Returns the SQL name of a result's type: bigint unsigned, decimal(20,4), datetime(3), text.
std::string TypeName(const Field& field);

/// The bytes that a cell counts for.
std::size_t CellBytes(const Cell& cell);

}  // namespace schemaward::connect::mysql
