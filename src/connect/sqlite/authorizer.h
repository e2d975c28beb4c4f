#pragma once

// What SQLite's authorizer lets a session do: everything that is not listed is denied.

#include "connect/sqlite/session.h"

namespace schemaward::connect::sqlite_engine {

/// Returns true when the action (a SQLITE_... code with its two arguments, either may be null) is
/// on the list of `mode`. Thread: any.
bool IsAllowed(Mode mode, int action, const char* first, const char* second);

}  // namespace schemaward::connect::sqlite_engine
