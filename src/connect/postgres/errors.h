#pragma once

// What PostgreSQL's own codes mean to a caller. Driver text is kept private.

#include <string>
#include <string_view>

#include "base/error.h"

namespace schemaward::connect::postgres {

/// Why a call ended early, as our own side knows it; the server only knows that it was told to
/// stop.
enum class StopCause : std::uint8_t { None, Cancelled, Deadline };

/// Returns the failure that an SQLSTATE (five characters) stands for. driver_text: kept private.
Error ErrorOfState(std::string_view state, std::string_view driver_text,
                   StopCause cause = StopCause::None);

/// The same of what the server says of one statement in a session that goes on: a connection that
/// was lost is then the server's own, to the server of a foreign table.
Error ErrorOfStatement(std::string_view state, std::string_view driver_text,
                       StopCause cause = StopCause::None);

/// Returns the failure of a connect. libpq gives it as text only; where the server spoke, its
/// SQLSTATE stands in it, since sessions ask for verbose errors. needs_password: the server asked
/// for one and there was none.
Error ErrorOfConnect(std::string_view driver_text, bool needs_password);

/// Returns the first SQLSTATE in a verbose error text, or empty.
std::string_view FindState(std::string_view driver_text);

}  // namespace schemaward::connect::postgres
