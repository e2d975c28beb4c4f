#pragma once

// Values in DuckDB's vectors as Cells, and its types as text.

#include <cstdint>
#include <string>

#include "connect/connector.h"
#include "connect/duckdb/c_api.h"

namespace schemaward::connect::duckdb {

/// What must be known of a column to read its values.
struct ColumnType {
  TypeId id = TypeId::Invalid;
  TypeId stored = TypeId::Invalid;  ///< of a decimal: the integer that holds it
  int scale = 0;                    ///< of a decimal
  std::string name{};               ///< as the engine prints it
};

/// Returns what `type` is. Thread: any.
ColumnType DescribeType(const Api& api, LogicalType type);

/// True where CellAt reads values of the type; others are asked for as texts, which the engine
/// makes.
bool IsReadable(const ColumnType& type);

/// Returns the value of one row of a vector. Integers up to 64 bits, booleans and floats become
/// what they are, wider integers and decimals exact text unless they fit 64 bits; timestamps become
/// ISO 8601 with a T, with +00:00 where the type has a zone; NaN and infinities are texts.
/// Requires: IsReadable(type); `row` is below the chunk's size. Thread: any.
Cell CellAt(const Api& api, const ColumnType& type, Vector vector, std::uint64_t row);

/// The bytes that a cell counts for.
std::int64_t CellBytes(const Cell& cell);

}  // namespace schemaward::connect::duckdb
