#pragma once

// The functions that text may call, by dialect. Every function reads nothing but its arguments and
// the tables of the statement, changes nothing, and gives no more than it gets unless its row says
// how that is bounded.

#include <cstdint>
#include <string_view>

#include "sql/dialect.h"

namespace schemaward::guard {

enum class FunctionKind : std::uint8_t {
  Scalar,
  Aggregate,   ///< shows values of its group: max, string_agg
  Statistic,   ///< shows no single value: count, sum, avg
  Window,      ///< over a window only
  Table,       ///< in FROM: rows out of its arguments
  TableScalar  ///< in FROM or in the select list: unnest, generate_series
};

enum class FunctionBound : std::uint8_t {
  None,
  Length,  ///< the last argument but those after it is a length: a constant up to kLengthMax
  Width,   ///< the fourth argument, where there is one, is a length as above
  Format,  ///< the first argument is a constant without widths or stars
  Series,  ///< start, stop and step are constants, and few
};

struct Function {
  std::string_view name;  ///< lower case
  FunctionKind kind = FunctionKind::Scalar;
  FunctionBound bound = FunctionBound::None;
};

inline constexpr std::int64_t kLengthMax = 10'000;     ///< of repeat and its like, in characters
inline constexpr std::int64_t kSeriesMax = 1'000'000;  ///< rows of a series

/// Returns the function of that name (any case) that `dialect` has, or null. Lifetime: static.
const Function* FindFunction(const sql::Dialect& dialect, std::string_view name);

}  // namespace schemaward::guard
