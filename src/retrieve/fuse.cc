#include "retrieve/fuse.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>

namespace schemaward::retrieve {

std::vector<Fused> Fuse(const std::vector<std::vector<std::int64_t>>& lists) {
  std::vector<Fused> fused;
  std::unordered_map<std::int64_t, std::size_t> at;
  for (const auto& list : lists) {
    for (std::size_t rank = 0; rank < list.size(); ++rank) {
      const auto [place, is_new] = at.try_emplace(list[rank], fused.size());
      if (is_new) fused.push_back({list[rank], 0});
      fused[place->second].score += 1 / (kFuseRank + 1 + static_cast<double>(rank));
    }
  }
  std::stable_sort(fused.begin(), fused.end(),
                   [](const Fused& a, const Fused& b) { return a.score > b.score; });
  return fused;
}

}  // namespace schemaward::retrieve
