#pragma once

// Statements that prove nothing, found before they run.

#include <string>
#include <string_view>

#include "explore/exact.h"
#include "explore/warehouse.h"

namespace schemaward::verify {

/// Returns why `sql` cannot prove `claim`, empty where it may: it reads no table, or one of its
/// select lists holds the claimed number itself. A literal beside columns in a call of an aggregate
/// counts for nothing. Not a proof of honesty: 250 + 250 passes for 500. Thread: any; pure.
std::string WhyNoProof(std::string_view sql, const explore::Number& claim);

/// Returns the one number of a result of one row, or of its column `verified`. `why` says what it
/// is else. Thread: any; pure.
std::optional<explore::Number> OneNumber(const explore::QueryResult& result, std::string& why);

}  // namespace schemaward::verify
