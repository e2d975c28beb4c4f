#include "tools/join_candidates.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace schemaward::tools {
namespace {

using semantic::Leg;
using semantic::Model;
using semantic::Path;

// The same leg the other way. [every leg has one: model.cc adds both]
const Leg* Counterpart(const Model& model, const Leg& leg) {
  for (const Leg& other : model.LegsFrom(leg.to)) {
    if (other.join != leg.join || other.to != leg.from || other.on.size() != leg.on.size())
      continue;
    const bool mirrors =
        std::equal(leg.on.begin(), leg.on.end(), other.on.begin(),
                   [](const auto& x, const auto& y) { return x.from == y.to && x.to == y.from; });
    if (mirrors) return &other;
  }
  return nullptr;
}

std::optional<Path> Reversed(const Model& model, const Path& path) {
  Path reversed;
  for (auto leg = path.legs.rbegin(); leg != path.legs.rend(); ++leg) {
    const Leg* other = Counterpart(model, **leg);
    if (other == nullptr) return std::nullopt;
    reversed.legs.push_back(other);
  }
  return reversed;
}

// Joins of an entity with itself, each as it is defined.
std::vector<Path> SelfJoins(const Ends& ends, const std::vector<std::string>& via) {
  const Model& model = ends.model();
  const std::size_t node = model.NodeOf(*ends.a.entity);
  std::vector<Path> paths;
  std::set<std::size_t> seen;
  for (const Leg& leg : model.LegsFrom(node)) {
    const semantic::Join& join = model.joins()[leg.join].definition;
    if (leg.to != node || leg.on != join.on || !seen.insert(leg.join).second) continue;
    if (!via.empty() && std::find(via.begin(), via.end(), join.name) == via.end()) continue;
    paths.emplace_back().legs.push_back(&leg);
  }
  return paths;
}

}  // namespace

std::vector<std::string> NamesIn(const std::string& text) {
  std::vector<std::string> names;
  std::string name;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] != ',' && text[i] != ' ') {
      name += text[i];
    } else if (!name.empty()) {
      if (names.size() < kJoinNamesMax) names.push_back(name);
      name.clear();
    }
  }
  return names;
}

std::string JoinedNames(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<Path> FindCandidates(const Ends& ends, const std::vector<std::string>& via) {
  const Model& model = ends.model();
  if (ends.a.entity == ends.b.entity) return SelfJoins(ends, via);
  semantic::PathQuery query{.from = model.NodeOf(*ends.a.entity),
                            .to = model.NodeOf(*ends.b.entity),
                            .role = ends.b.role,
                            .via = via,
                            .must_use_via = !via.empty()};
  std::vector<Path> paths = semantic::FindPaths(model, query);
  const bool is_to_one = !paths.empty() && paths.front().to_one();
  if (is_to_one && ends.a.role.empty()) return paths;
  std::swap(query.from, query.to);
  query.role = ends.a.role;
  const std::vector<Path> back = semantic::FindPaths(model, query);
  const bool is_better = ends.a.role.empty() ? !back.empty() && back.front().to_one()
                                             : ends.b.role.empty() && !back.empty();
  if (!is_better) return paths;
  paths.clear();
  for (const Path& path : back)
    if (auto reversed = Reversed(model, path)) paths.push_back(*std::move(reversed));
  return paths;
}

std::vector<std::string> TellingNames(const Model& model, const std::vector<Path>& paths,
                                      const std::vector<std::string>& via) {
  std::vector<std::string> all;
  for (const Path& path : paths) {
    std::vector<Path> others;
    for (const Path& other : paths)
      if (&other != &path) others.push_back(other);
    std::vector<std::string> names = via;
    for (std::string& name :
         others.empty() ? path.JoinNames(model) : semantic::TellingJoins(model, path, others))
      if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(std::move(name));
    all.push_back(JoinedNames(names));
  }
  return all;
}

}  // namespace schemaward::tools
