#pragma once

// SQLite files as a source.

#include "connect/connector.h"

namespace schemaward::connect {

/// Returns the engine "sqlite". Target::location is the path of a file.
EnginePtr MakeSqliteEngine();

}  // namespace schemaward::connect
