#pragma once

// What a statistic is made of: a column alone, or a sum that could fail for one of its values,
// whose failure would tell of that value.

#include <string_view>

#include "sql/dialect.h"
#include "sql/query/tree.h"

namespace schemaward::guard {

/// Of the arguments of a statistic.
struct Measure {
  bool is_whole_group = false;  ///< no part of it can single a row out of the group
  bool is_computed = false;     ///< more than a column as it stands
  bool has_whole_number = false;
};

/// Returns what the call `statistic` computes. Thread: any.
Measure MeasureOf(const sql::query::Expression& statistic, const sql::Dialect& dialect);

/// True where no value of a column of this type, as the engine prints it, can make the measure
/// fail. Thread: any.
bool IsSafeFor(const Measure& measure, std::string_view type, const sql::Dialect& dialect);

}  // namespace schemaward::guard
