#pragma once

// Inside of check: how a problem of a definition is written down.

#include <string>
#include <string_view>
#include <vector>

#include "semantic/model.h"

namespace schemaward::semantic {

using Problems = std::vector<Problem>;

inline constexpr std::size_t kNearProblems = 3;  ///< names near to a wrong one

void AddProblem(Problems& problems, ErrorKind kind, std::string_view member,
                std::string_view object, std::string message, std::vector<std::string> near = {});

/// A definition's name has the form that all have.
void CheckName(const std::string& name, std::string_view member, Problems& problems);

}  // namespace schemaward::semantic
