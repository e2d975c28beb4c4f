#pragma once

// The tables of the audit file. Private to audit/.

#include <string>
#include <string_view>

namespace schemaward::audit {

/// Returns the statements that make an empty chain where there is none.
std::string SchemaSql();

/// A column that files of earlier versions lack, and how it is declared.
struct AddedColumn {
  std::string_view table;
  std::string_view name;
  std::string_view declaration;
};
inline constexpr AddedColumn kAddedColumns[] = {
    {"record", "covers_sequence", "INTEGER"},
    {"record", "covers_hash", "TEXT"},
    {"record", "tree_first", "INTEGER"},
    {"record", "tree_root", "TEXT"},
    {"record", "key_id", "TEXT"},
    {"record", "signature", "TEXT"},
    {"record", "exemptions", "TEXT"},
    {"chain", "next_file", "INTEGER NOT NULL DEFAULT 0"},
    {"chain", "checkpoint_sequence", "INTEGER NOT NULL DEFAULT 0"},
    {"chain", "tree", "BLOB"},
};

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
