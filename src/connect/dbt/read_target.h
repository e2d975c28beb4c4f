#pragma once

// From the texts of manifest.json and catalog.json to catalog::Database.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "json/value.h"

namespace schemaward::connect::dbt {

/// Versions of the manifest's schema: older ones are refused, newer ones read and named as missing.
inline constexpr std::int64_t kManifestOldest = 10;  // dbt 1.6
inline constexpr std::int64_t kManifestNewest = 12;  // dbt 1.8 and later

/// Entries of Database::missing; one more says how many were left out.
inline constexpr std::size_t kMissingMax = 100;

/// The two artifacts.
struct Artifacts {
  json::Document manifest;
  json::Document catalog;  ///< null where there is none
  std::vector<catalog::Missing> missing;
};

/// Parses both. `catalog_text` may be empty; one that cannot be read is only missing. Errors:
/// InputUnreadable when the manifest is none or too old; ByteCap when it is too large.
Result<Artifacts> ParseArtifacts(std::string_view manifest_text, std::string_view catalog_text);

/// Returns the database that the artifacts tell of; tables of other schemas than `schemas` are left
/// out where that is not empty. Leaves name and fingerprint for the caller to complete: the name is
/// the database that most models are in. Errors: of `ctx`. Thread: any.
Result<catalog::Database> ReadTarget(Artifacts artifacts, const std::vector<std::string>& schemas,
                                     CallContext& ctx);

}  // namespace schemaward::connect::dbt
