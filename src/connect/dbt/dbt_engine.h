#pragma once

// dbt:TARGET_DIR: what a dbt project knows of its warehouse, read without a database.

#include <cstddef>

#include "connect/connector.h"

namespace schemaward::connect::dbt {

/// Bytes of manifest.json and of catalog.json; larger ones are refused.
inline constexpr std::size_t kArtifactBytesMax = 512u << 20;

/// Returns the engine "dbt". Target::location is the folder with manifest.json and, where `dbt docs
/// generate` ran, catalog.json. A connector reads the files anew at each call and answers no
/// queries. Errors of Open and of the calls: SourceUnreachable when there is no manifest or it
/// cannot be read, InputUnreadable when it is none or too old, ByteCap when it is too large.
EnginePtr MakeDbtEngine();

}  // namespace schemaward::connect::dbt
