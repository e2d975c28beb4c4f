#pragma once

// What the codes of MySQL, MariaDB and their client library mean to a caller. Their own text is
// kept private.

#include <cstdint>
#include <string_view>

#include "base/error.h"

namespace schemaward::connect::mysql {

/// Why a call ended early, as our own side knows it; the server only knows that it was told to
/// stop. Enough: the rows that were wanted are there. TimeLimit: of the statement.
enum class StopCause : std::uint8_t { None, Cancelled, Deadline, TimeLimit, Enough };

/// Returns the failure that a code stands for; what is private begins with the code. Thread: any.
Error ErrorOfCode(unsigned code, std::string_view driver_text, StopCause cause = StopCause::None);

/// Returns the failure of a connect. has_secret: one was given.
Error ErrorOfConnect(unsigned code, std::string_view driver_text, bool has_secret);

/// True for codes after which the connection cannot be used.
bool EndsTheSession(unsigned code);

}  // namespace schemaward::connect::mysql
