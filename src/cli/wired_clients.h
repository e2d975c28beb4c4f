#pragma once

// Where the user's MCP clients are, and what they call the server.

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "clients/client.h"

namespace schemaward::cli {

constexpr std::string_view kEntryName = "schemaward";

/// Clients join server and tool to one name of at most 60 characters; a tool's has up to 30.
constexpr std::size_t kEntryNameMax = 24;

/// True for 1 to kEntryNameMax of a-z, A-Z, 0-9, "-" and "_".
bool IsEntryName(std::string_view name);

/// Returns the user's folders as HOME and XDG_CONFIG_HOME have them. Errors: InputUnreadable where
/// HOME is no absolute path.
Result<clients::Place> UserPlace();

/// Returns `path` from the root on.
std::string AbsolutePath(const std::string& path);

}  // namespace schemaward::cli
