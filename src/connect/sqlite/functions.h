#pragma once

// SQL functions that our own statements call where SQLite has no means: time, percentiles, folding.
// docs/formats/time.md says how stored times are read.

#include <string_view>

#include <sqlite3.h>

namespace schemaward::connect::sqlite_engine {

/// Registers, deterministic and innocuous:
///   ward_micros(value, kind)      microseconds since 1970, or null
///   ward_bucket(value, kind, grain, zone, own_zone, week_start)    the period's first day or hour
///   ward_percentile(value, fraction)   aggregate: continuous percentile of the non-null numbers
///   ward_fold(text)               lower case, of all letters
/// kind: date | naive | instant. Returns an SQLite code.
int RegisterFunctions(sqlite3* handle);

/// True for the names above.
bool IsOwnFunction(std::string_view name);

}  // namespace schemaward::connect::sqlite_engine
