#pragma once

// Types that mean in one engine what their names do not say.

#include <string>

#include "sql/dialect.h"

namespace schemaward::semantic {

/// Returns `type`, as the engine of `dialect` prints it, in words that say what it holds: MySQL's
/// timestamp is a moment and becomes "timestamp with time zone", its tinyint(1) "boolean". Thread:
/// any.
std::string MeaningOfType(const sql::Dialect& dialect, const std::string& type);

}  // namespace schemaward::semantic
