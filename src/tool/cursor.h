#pragma once

// Cursors: where a list was left, signed, so that nothing depends on one connection. [R-MCP-5]

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace schemaward::tool {

/// What a cursor holds. All of it is under the signature; nothing is secret.
struct CursorState {
  std::string tool;
  std::string arguments;  ///< hash of the arguments without the cursor
  std::int64_t generation = 0;
  std::string position;  ///< the tool's own
  std::string principal;
};

/// Returns the opaque text of `state`, URL-safe. `key`: 32 secret bytes.
std::string SealCursor(std::string_view key, const CursorState& state);

/// Returns the position in `cursor`. `now` is what the present call would seal; its position is not
/// read. Errors: InvalidCursor when it was not sealed with `key` for this tool, these arguments and
/// this principal; StaleCursor when the index has moved on.
Result<std::string> OpenCursor(std::string_view key, std::string_view cursor,
                               const CursorState& now);

/// Returns a short hash of `arguments` for CursorState.
std::string HashArguments(std::string_view arguments);

}  // namespace schemaward::tool
