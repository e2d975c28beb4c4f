#pragma once

// Values of a source as JSON. [R-VAL-1]

#include <string>
#include <vector>

#include "connect/connector.h"

namespace schemaward::tools {

/// Appends a cell: null, boolean, number or string. Integers beyond 2^53 and decimals are strings;
/// bytes are {"base64": "..."}.
void AppendCell(std::string& out, const connect::Cell& cell);

/// Appends a row as an array.
void AppendRow(std::string& out, const std::vector<connect::Cell>& row);

/// The cell as plain text, for comparing names with it; empty for null.
std::string TextOf(const connect::Cell& cell);

}  // namespace schemaward::tools
