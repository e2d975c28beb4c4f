#pragma once

// How a model is asked to mend SQL that an engine could not run. Each engine has its own words, in
// the file sql_repair.md of its folder; the connector conformance suite reads it.

#include <string_view>

namespace schemaward::connect {

/// The section that stands only where a claim is verified, and the hole in it.
inline constexpr std::string_view kVerificationContext = "VERIFICATION_CONTEXT";

/// Returns the template of the prompt for `engine`: sqlite, postgres, mysql, duckdb. Its holes are
/// SCHEMA_INFO, ORIGINAL_SQL, ERROR_MESSAGE and, in its section, VERIFICATION_CONTEXT. Empty for an
/// engine without one. Lifetime: static. Thread: any.
std::string_view RepairPromptOf(std::string_view engine);

}  // namespace schemaward::connect
