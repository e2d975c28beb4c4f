#include "tools/join_paths.h"

#include <algorithm>
#include <map>
#include <utility>

#include "tools/visible.h"

namespace schemaward::tools {
namespace {

// Breadth first from the start. `steps_into` keeps, for each table reached, every step by which a
// shortest path enters it.
struct Wave {
  std::map<std::int64_t, std::int64_t> distance;
  std::map<std::int64_t, std::vector<JoinStep>> steps_into;
};

Status Expand(const Services& s, const store::Source& source, std::int64_t table,
              std::int64_t depth, Wave& wave, std::vector<std::int64_t>& next) {
  WARD_TRY(auto edges, s.store.EdgesOf(table));
  WARD_CHECK(KeepVisible(s, source, edges));
  for (store::KeyEdge& edge : edges) {
    const bool forward = edge.from_id == table;
    const std::int64_t other = forward ? edge.to_id : edge.from_id;
    if (other == table) continue;
    const auto [known, fresh] = wave.distance.try_emplace(other, depth + 1);
    if (fresh) next.push_back(other);
    if (known->second == depth + 1) wave.steps_into[other].push_back({std::move(edge), forward});
  }
  return Ok();
}

void Collect(const Wave& wave, std::int64_t start, std::int64_t at, JoinPath& tail,
             std::size_t paths_max, std::vector<JoinPath>& paths) {
  if (paths.size() >= paths_max) return;
  if (at == start) {
    paths.emplace_back(tail.rbegin(), tail.rend());
    return;
  }
  for (const JoinStep& step : wave.steps_into.at(at)) {
    tail.push_back(step);
    Collect(wave, start, step.left_id(), tail, paths_max, paths);
    tail.pop_back();
  }
}

}  // namespace

Result<JoinSearch> FindJoinPaths(const Services& s, const store::Source& source, std::int64_t start,
                                 std::int64_t end, std::int64_t hops_max, std::size_t paths_max,
                                 CallContext& ctx) {
  Wave wave;
  wave.distance[start] = 0;
  std::vector<std::int64_t> frontier = {start};
  JoinSearch search;
  for (std::int64_t depth = 0;
       depth < hops_max && !frontier.empty() && !wave.distance.contains(end); ++depth) {
    std::vector<std::int64_t> next;
    for (const std::int64_t table : frontier) {
      WARD_CHECK(ctx.Check());
      if (wave.distance.size() > kVisitedMax) {
        search.cut = true;
        return search;
      }
      WARD_CHECK(Expand(s, source, table, depth, wave, next));
    }
    frontier = std::move(next);
  }
  if (!wave.distance.contains(end)) return search;
  JoinPath tail;
  Collect(wave, start, end, tail, paths_max, search.paths);
  return search;
}

}  // namespace schemaward::tools
