#pragma once

// Rank fusion: several lists of the same things, best first, made one.

#include <cstdint>
#include <vector>

namespace schemaward::retrieve {

/// Something that some list has, and the sum of what its ranks are worth.
struct Fused {
  std::int64_t id = 0;
  double score = 0;
  bool operator==(const Fused&) const = default;
};

/// What dampens the difference between the first ranks.
inline constexpr double kFuseRank = 60;

/// Returns everything that some list has, by the sum over the lists of 1 / (kFuseRank + rank),
/// ranks from 1; ties in the order of the first list that has one of them, then of the next. Pure.
/// Source: Cormack, Clarke, Buettcher, "Reciprocal rank fusion outperforms Condorcet and individual
/// rank learning methods", SIGIR 2009.
std::vector<Fused> Fuse(const std::vector<std::vector<std::int64_t>>& lists);

}  // namespace schemaward::retrieve
