#pragma once

// Trees of our own statements that several modules build.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sql/statement.h"

namespace schemaward::sql {

/// Returns SELECT columns FROM schema.table AS t LIMIT rows_max, each column under its own name. An
/// empty `schema` leaves it out.
Select SampleSelect(std::string_view schema, std::string_view table,
                    const std::vector<std::string>& columns, std::int64_t rows_max);

}  // namespace schemaward::sql
