#include "semantic/paths.h"

#include <algorithm>
#include <limits>

#include "base/contains.h"

namespace schemaward::semantic {
namespace {

constexpr std::size_t kFar = std::numeric_limits<std::size_t>::max();

// Bounds the paths that are walked where `via` asks for longer ones.
constexpr std::size_t kStepsMax = 20'000;

std::size_t CountVia(const Model& model, const Path& path, const std::vector<std::string>& via) {
  const std::vector<std::string> names = path.JoinNames(model);
  return static_cast<std::size_t>(std::count_if(
      names.begin(), names.end(), [&](const auto& name) { return Contains(via, name); }));
}

class Search {
 public:
  Search(const Model& model, const PathQuery& query, bool to_one)
      : model_(model), query_(query), to_one_(to_one) {}

  // Every shortest path.
  std::vector<Path> Shortest() {
    const std::vector<std::size_t> left = DistancesTo();
    std::size_t hops = query_.from == query_.to ? LoopLength(left) : left[query_.from];
    if (hops > kHopsMax) return {};
    hops_max_ = hops;
    left_ = left;
    Walk(query_.from);
    return std::move(found_);
  }

  // The shortest of the paths that pass a join of `via`, most of them first.
  std::vector<Path> ShortestThroughVia() {
    left_ = DistancesTo();
    for (hops_max_ = 1; hops_max_ <= kHopsMax; ++hops_max_) {
      exact_ = true;
      Walk(query_.from);
      std::erase_if(found_, [&](const Path& path) {
        return path.legs.size() != hops_max_ || CountVia(model_, path, query_.via) == 0;
      });
      if (!found_.empty()) return std::move(found_);
    }
    return {};
  }

 private:
  bool Usable(const Leg& leg) const { return !to_one_ || leg.to_one; }
  bool Ends(const Leg& leg) const {
    return leg.to == query_.to && (query_.role.empty() || leg.role == query_.role);
  }

  // Hops from each node to the end, searched from the end backwards: of each leg there is one the
  // other way round, which says whether it may be gone in this one.
  std::vector<std::size_t> DistancesTo() const {
    std::vector<std::size_t> distance(model_.nodes().size(), kFar);
    std::vector<std::size_t> ring = LastSteps(distance);
    for (std::size_t hops = query_.role.empty() ? 1 : 2; hops <= kHopsMax && !ring.empty();
         ++hops) {
      std::vector<std::size_t> next;
      for (const std::size_t node : ring)
        for (const Leg& back : model_.LegsFrom(node)) {
          if ((to_one_ && !back.from_unique) || distance[back.to] != kFar) continue;
          distance[back.to] = hops;
          next.push_back(back.to);
        }
      ring = std::move(next);
    }
    return distance;
  }

  // The nodes that the search begins at: the end, or those whose last leg has the role.
  std::vector<std::size_t> LastSteps(std::vector<std::size_t>& distance) const {
    if (query_.role.empty()) {
      distance[query_.to] = 0;
      return {query_.to};
    }
    std::vector<std::size_t> ring;
    for (const Leg& back : model_.LegsFrom(query_.to))
      for (const Leg& leg : model_.LegsFrom(back.to)) {
        if (!Usable(leg) || !Ends(leg) || distance[back.to] != kFar) continue;
        distance[back.to] = 1;
        ring.push_back(back.to);
      }
    return ring;
  }

  std::size_t LoopLength(const std::vector<std::size_t>& left) const {
    std::size_t best = kFar;
    for (const Leg& leg : model_.LegsFrom(query_.from)) {
      if (!Usable(leg)) continue;
      const std::size_t rest = Ends(leg) ? 0 : left[leg.to];
      if (rest != kFar) best = std::min(best, rest + 1);
    }
    return best;
  }

  void Walk(std::size_t node) {
    if (found_.size() >= kCandidatesMax || ++steps_ > kStepsMax) return;
    for (const Leg& leg : model_.LegsFrom(node)) {
      if (!Usable(leg)) continue;
      const std::size_t length = path_.legs.size() + 1;
      if (Ends(leg)) {
        if (!exact_ || length == hops_max_) Keep(leg);
        continue;
      }
      if (leg.to == query_.from || (leg.to == query_.to && query_.role.empty()) || Passes(leg.to))
        continue;
      if (left_[leg.to] == kFar || length + left_[leg.to] > hops_max_) continue;
      path_.legs.push_back(&leg);
      Walk(leg.to);
      path_.legs.pop_back();
    }
  }

  bool Passes(std::size_t node) const {
    return std::any_of(path_.legs.begin(), path_.legs.end(),
                       [&](const Leg* leg) { return leg->to == node; });
  }

  void Keep(const Leg& last) {
    if (found_.size() >= kCandidatesMax) return;
    Path path = path_;
    path.legs.push_back(&last);
    found_.push_back(std::move(path));
  }

  const Model& model_;
  const PathQuery& query_;
  const bool to_one_;
  bool exact_ = false;
  std::size_t hops_max_ = 0;
  std::size_t steps_ = 0;
  std::vector<std::size_t> left_;
  Path path_;
  std::vector<Path> found_;
};

std::vector<Path> WithMostVia(const Model& model, const PathQuery& query, std::vector<Path> paths) {
  std::size_t most = 0;
  for (const Path& path : paths) most = std::max(most, CountVia(model, path, query.via));
  std::erase_if(paths, [&](const Path& path) { return CountVia(model, path, query.via) != most; });
  return paths;
}

void SortByNames(const Model& model, std::vector<Path>& paths) {
  std::sort(paths.begin(), paths.end(),
            [&](const Path& a, const Path& b) { return a.JoinNames(model) < b.JoinNames(model); });
}

}  // namespace

bool Path::to_one() const {
  return std::all_of(legs.begin(), legs.end(), [](const Leg* leg) { return leg->to_one; });
}

std::vector<std::string> Path::JoinNames(const Model& model) const {
  std::vector<std::string> names;
  for (const Leg* leg : legs) {
    const std::string& name = model.joins()[leg->join].definition.name;
    if (names.empty() || names.back() != name) names.push_back(name);
  }
  return names;
}

std::vector<Path> FindPaths(const Model& model, const PathQuery& query) {
  if (query.from == query.to && query.role.empty() && query.via.empty()) return {Path()};
  std::vector<Path> best;
  if (query.from == query.to && query.role.empty()) best = {Path()};
  for (const bool to_one : {true, false})
    if (best.empty()) best = Search(model, query, to_one).Shortest();
  if (!query.via.empty()) {
    best = WithMostVia(model, query, std::move(best));
    const bool passes = !best.empty() && CountVia(model, best.front(), query.via) > 0;
    if (!passes && query.must_use_via) {
      std::vector<Path> longer;
      for (const bool to_one : {true, false})
        if (longer.empty()) longer = Search(model, query, to_one).ShortestThroughVia();
      if (!longer.empty()) best = WithMostVia(model, query, std::move(longer));
    }
  }
  SortByNames(model, best);
  return best;
}

bool IsParallel(const std::vector<Path>& paths) {
  for (const Path& path : paths) {
    if (path.legs.size() != paths.front().legs.size()) return false;
    for (std::size_t i = 0; i < path.legs.size(); ++i)
      if (path.legs[i]->to != paths.front().legs[i]->to) return false;
  }
  return true;
}

std::vector<std::string> TellingJoins(const Model& model, const Path& path,
                                      const std::vector<Path>& others) {
  std::vector<std::string> names = path.JoinNames(model);
  for (const std::string& name : names) {
    const bool shared = std::any_of(others.begin(), others.end(), [&](const Path& other) {
      return &other != &path && Contains(other.JoinNames(model), name);
    });
    if (!shared) return {name};
  }
  return names;
}

}  // namespace schemaward::semantic
