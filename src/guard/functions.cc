#include "guard/functions.h"

#include <algorithm>
#include <array>

namespace schemaward::guard {
namespace {

// Sorted. Left out on purpose: whatever packs rows into one value (group_concat, array_agg),
// repeats or pads (repeat, printf, zeroblob), waits, reads settings or files, or differs between
// calls (random).
constexpr auto kFunctions = std::to_array<std::string_view>(
    {"abs", "avg", "ceil", "coalesce", "count", "floor", "length", "lower", "max", "min", "nullif",
     "round", "sum", "trim", "upper"});
static_assert(std::is_sorted(kFunctions.begin(), kFunctions.end()),
              "the list is searched by halves");

constexpr auto kWindows = std::to_array<std::string_view>({"rank", "row_number"});

}  // namespace

bool IsListedWindow(std::string_view name) {
  return std::binary_search(kWindows.begin(), kWindows.end(), name);
}

bool IsListedFunction(std::string_view name) {
  return std::binary_search(kFunctions.begin(), kFunctions.end(), name);
}

}  // namespace schemaward::guard
