#pragma once

// Values between the engine's text and Cells, and the names of result types.

#include <optional>
#include <string>
#include <string_view>

#include "connect/connector.h"
#include "sql/statement.h"

namespace schemaward::connect::postgres {

/// Returns a value of the type `oid` as a cell. Integers, booleans and floats become what they are;
/// numeric stays exact text; bytea becomes its bytes; timestamps become ISO 8601 with a T, with an
/// offset only where the type has one; NaN and infinities are texts; all else is the server's text.
/// Requires: `text` as printed under ReadOnlySettings(). Thread: any.
Cell MakeCell(unsigned oid, std::string_view text);

/// Returns the SQL name of a built-in type with its modifier, as format_type prints it; none where
/// it must be asked for.
std::optional<std::string> BuiltInTypeName(unsigned oid, int modifier);

/// Returns a parameter as text; none is null.
std::optional<std::string> ParameterText(const sql::Literal& literal);

/// The bytes that a cell counts for.
std::size_t CellBytes(const Cell& cell);

}  // namespace schemaward::connect::postgres
