#pragma once

// The log: one structured line an event on stderr, never on stdout. Secrets are masked.

#include <string_view>

namespace schemaward::log {

enum class Level { Debug, Info, Warn, Error, Off };

/// Sets the least level that is written. Thread: before others log.
void SetLevel(Level level);

/// Writes one line: time, level, request id, event, text. Thread: any.
void Write(Level level, std::string_view request_id, std::string_view event, std::string_view text);

}  // namespace schemaward::log
