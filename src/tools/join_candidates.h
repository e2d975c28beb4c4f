#pragma once

// Paths of canonical joins that a pair of entities could mean, and what each is called.

#include <string>
#include <vector>

#include "semantic/paths.h"
#include "tools/models.h"

namespace schemaward::tools {

/// Both ends of what is asked, of one source.
struct Ends {
  FoundEntity a, b;
  const SourceModel& at() const { return *a.at; }
  const semantic::Model& model() const { return *a.at->model; }
};

inline constexpr std::size_t kJoinNamesMax = 6;  ///< joins that one call names

/// Returns the names in a text that parts them with commas or blanks; at most kJoinNamesMax.
std::vector<std::string> NamesIn(const std::string& text);

/// Returns names with commas.
std::string JoinedNames(const std::vector<std::string>& names);

/// Returns every path that could be meant, sorted as FindPaths sorts; `via`: joins to pass. One
/// that repeats no rows is better than a shorter one that does, whichever end it starts from.
std::vector<semantic::Path> FindCandidates(const Ends& ends, const std::vector<std::string>& via);

/// Returns what each path is called, so that the name tells it from the others.
std::vector<std::string> TellingNames(const semantic::Model& model,
                                      const std::vector<semantic::Path>& paths,
                                      const std::vector<std::string>& via);

}  // namespace schemaward::tools
