#pragma once

// Paths between tables over declared foreign keys.

#include <cstdint>
#include <vector>

#include "base/call_context.h"
#include "store/store.h"
#include "tools/services.h"

namespace schemaward::tools {

/// One step: the key, and whether it is walked from the referring table to the one referred to.
struct JoinStep {
  store::KeyEdge edge;
  bool forward = true;
  std::int64_t left_id() const { return forward ? edge.from_id : edge.to_id; }
  std::int64_t right_id() const { return forward ? edge.to_id : edge.from_id; }
};

/// Steps from start to end.
using JoinPath = std::vector<JoinStep>;

struct JoinSearch {
  std::vector<JoinPath>
      paths;         ///< the shortest ones, at most `paths_max`; sorted by the names of their keys
  bool cut = false;  ///< the search stopped at its bound before it was complete
};

/// Returns the shortest paths from `start` to `end` of at most `hops_max` steps. Visits at most
/// kVisitedMax tables of `source`, and none that the caller may not know of. Errors: the store's;
/// Cancelled, DeadlineExceeded.
Result<JoinSearch> FindJoinPaths(const Services& s, const store::Source& source, std::int64_t start,
                                 std::int64_t end, std::int64_t hops_max, std::size_t paths_max,
                                 CallContext& ctx);

constexpr std::size_t kVisitedMax = 20'000;

}  // namespace schemaward::tools
