#pragma once

// The text of a moment as engines read it.

#include <string>

#include "sql/statement.h"

namespace schemaward::sql {

/// Returns YYYY-MM-DD, with HH:MM:SS.ffffff for Naive and Instant, with +00 for Instant; years
/// before 1 and after 9999 are clamped.
std::string MomentText(const Moment& moment);

}  // namespace schemaward::sql
