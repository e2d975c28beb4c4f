#pragma once

// The tables of the audit file. Private to audit/.

#include <string>
#include <string_view>

namespace schemaward::audit {

/// Returns the statements that make an empty chain where there is none.
std::string SchemaSql();

/// The triggers that refuse changes, and the table each guards.
struct TriggerSpec {
  std::string_view name;
  std::string_view event;
  std::string_view table;
};
inline constexpr TriggerSpec kTriggers[] = {
    {"record_is_not_updated", "UPDATE", "record"},
    {"record_is_not_deleted", "DELETE", "record"},
    {"chain_is_not_deleted", "DELETE", "chain"},
};

}  // namespace schemaward::audit
