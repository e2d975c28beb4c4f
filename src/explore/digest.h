#pragma once

// A result made small: what a model is told of many rows.

#include <string>

#include "explore/warehouse.h"

namespace schemaward::explore {

/// Returns the result in words: how many rows, a line for each column (nulls, different values,
/// least, quartiles and greatest of numbers, the most frequent values of columns with few), and the
/// rows: all up to kInlineRowsMax, else the first and last few. Columns that hide their values show
/// counts only. At most kObservationBytesMax bytes. Deterministic. Thread: any; pure.
std::string Digest(const QueryResult& result);

/// Returns the same in one line, for turns that lie back.
std::string ShortDigest(const QueryResult& result);

}  // namespace schemaward::explore
