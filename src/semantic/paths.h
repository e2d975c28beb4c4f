#pragma once

// Paths of joins through a model: from the entity whose rows are measured to the one whose column
// is named.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "semantic/model.h"

namespace schemaward::semantic {

inline constexpr std::size_t kHopsMax = 6;
inline constexpr std::size_t kCandidatesMax = 16;  ///< paths that an ambiguity lists

/// Legs in order; empty where both ends are one entity. Lifetime: the model's.
struct Path {
  std::vector<const Leg*> legs;
  bool to_one() const;
  /// Names of the joins, each once, in order.
  std::vector<std::string> JoinNames(const Model& model) const;
};

/// What is looked for.
struct PathQuery {
  std::size_t from = 0;  ///< nodes
  std::size_t to = 0;
  std::string role;              ///< where given, the last leg has this role
  std::vector<std::string> via;  ///< join names; the paths that pass most of them are wanted
  bool must_use_via = false;     ///< longer paths are taken where only they pass a join of `via`
};

/// Returns every shortest path, sorted by join names; at most kCandidatesMax, none longer than
/// kHopsMax. Paths on which each leg leads to one row are taken before any other, whatever their
/// length, since they repeat nothing. No path visits a node twice, but for its ends, and for the
/// entity whose role of itself is asked for. With `via`, those of the shortest that pass most of
/// its joins; where none passes any and must_use_via is set, the shortest that do. One result: the
/// path. Several: it is ambiguous. None: unreachable.
std::vector<Path> FindPaths(const Model& model, const PathQuery& query);

/// True when the paths pass the same entities and differ in joins only.
bool IsParallel(const std::vector<Path>& paths);

/// Returns the joins that tell `path` from all of `others`: the first that no other passes, else
/// all of its joins.
std::vector<std::string> TellingJoins(const Model& model, const Path& path,
                                      const std::vector<Path>& others);

}  // namespace schemaward::semantic
