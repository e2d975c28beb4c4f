#pragma once

// The log: one structured line an event on stderr, never on stdout. Secrets are masked.

#include <string_view>

namespace schemaward::log {

enum class Level { Debug, Info, Warn, Error, Off };

/// Returns the level of that name: debug, info, error, off; warn for any other word.
Level LevelOf(std::string_view word);

/// Sets the least level that is written. Thread: before others log.
void SetLevel(Level level);

/// Writes one line: time, level, request id, event, text. Thread: any.
void Write(Level level, std::string_view request_id, std::string_view event, std::string_view text);

}  // namespace schemaward::log
