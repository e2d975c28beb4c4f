#pragma once

// Edit distance between short texts.

#include <cstddef>
#include <string_view>

namespace schemaward {

/// Returns the optimal-string-alignment distance of `a` and `b` in bytes (insert, delete, replace,
/// swap of neighbours: 1 each), or `limit` + 1 where it is larger than `limit`. Time O(|a| |b|),
/// space O(|b|). Thread: any. Source: Damerau 1964; the restricted form that edits no substring
/// twice.
std::size_t EditDistance(std::string_view a, std::string_view b, std::size_t limit = 64);

}  // namespace schemaward
