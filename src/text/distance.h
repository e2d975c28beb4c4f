#pragma once

// Edit distance between two texts, given up as soon as it passes a limit.

#include <cstdint>
#include <string_view>

namespace schemaward::text {

/// What one edit costs. Distances are sums of these.
struct EditCosts {
  std::uint32_t edit = 10;    ///< insert, delete, replace, swap two neighbours
  std::uint32_t doubled = 8;  ///< a letter typed twice, or once instead of twice
  std::uint32_t digit = 13;   ///< an edit that touches a digit: names differ by numbers on purpose
};

/// Returns the cheapest way to turn `a` into `b` (insertions, deletions, replacements, swaps of
/// neighbours; no part edited twice), or any value above `limit` when it costs more than `limit`.
/// Cost grows with the shorter length times limit / costs.doubled. Thread: any.
/// Source: optimal string alignment (Damerau 1964), cut off by the band of Ukkonen 1985.
std::uint32_t EditCost(std::u32string_view a, std::u32string_view b, std::uint32_t limit,
                       const EditCosts& costs = {});

/// Returns the number of edits (each counts 1), or any value above `limit`. Thread: any.
std::uint32_t EditDistance(std::u32string_view a, std::u32string_view b, std::uint32_t limit);

}  // namespace schemaward::text
