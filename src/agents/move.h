#pragma once

// What an agent's reply asks for: one call of a tool, or the end.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "json/value.h"

namespace schemaward::agents {

enum class MoveKind : std::uint8_t { Call, Answer, Cannot };

struct Move {
  MoveKind kind = MoveKind::Cannot;
  std::string tool;          ///< of a call
  json::Document arguments;  ///< of a call: an object
  std::string text;          ///< of an end
};

/// Returns the one move of `reply`: {"tool": NAME, "arguments": {...}}, {"answer": TEXT} or
/// {"cannot": TEXT}, with prose, fences and thinking around it passed over. {"name": ..., "input":
/// {...}} is a call too, since providers write theirs so. Errors: InputUnreadable where there is no
/// move, more than one, or one of another shape; the message is one sentence for the model.
/// Thread: any.
Result<Move> ParseMove(std::string_view reply);

}  // namespace schemaward::agents
