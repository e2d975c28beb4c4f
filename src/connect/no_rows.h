#pragma once

// What engines answer that read the description of a database and not the database.

#include <string_view>

#include "base/error.h"

namespace schemaward::connect {

/// Returns EngineUnavailable: the source is `description` ("a schema script") and has no rows to
/// query. `database` ("the database itself") is what to index instead. Thread: any.
Error HasNoRows(std::string_view description, std::string_view database);

}  // namespace schemaward::connect
