#pragma once

// A table in one short line: its columns, its key and what they refer to.

#include <string>

#include "catalog/catalog.h"

namespace schemaward::tools {

constexpr std::size_t kSignatureMax = 200;  ///< bytes

/// Returns "id pk, customer_id -> customers, total, +5": the key first, then what refers, then the
/// rest in the table's order; what does not fit is counted. At most kSignatureMax bytes.
std::string SignatureOf(const catalog::Table& table);

}  // namespace schemaward::tools
