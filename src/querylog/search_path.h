#pragma once

// SET search_path, as a log may hold it.

#include <optional>
#include <string>
#include <vector>

#include "pgparse/script.h"

namespace schemaward::querylog {

/// Returns the schemas that `SET search_path TO ...` or `= ...` names, without "$user"; nothing for
/// any other statement. Thread: one made by pgparse::RunOnDeepStack.
std::optional<std::vector<std::string>> SearchPathOf(const pgparse::Statement& statement);

}  // namespace schemaward::querylog
