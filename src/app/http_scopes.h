#pragma once

// Scopes, and which of them the tools of a set need over HTTP.

#include <string>
#include <string_view>
#include <vector>

#include "app/config.h"
#include "base/result.h"
#include "tool/invoke.h"

namespace schemaward::app {

/// Returns true where `text` can be a scope: it stands in a header and in JSON as it is.
/// Source: RFC 6749 section 3.3.
bool IsScope(std::string_view text);

/// Returns the setting http.tool_scopes, a list of SET=SCOPE|SCOPE...: any one of an entry's scopes
/// is enough, and a set that is named more than once needs one of each entry. A scope that has a |
/// in it cannot be named. Errors: InputUnreadable where an entry is no such pair or names a set
/// that there is not.
Result<tool::ToolScopes> ReadToolScopes(const Config& config);

}  // namespace schemaward::app
