#pragma once

// What the tests of this folder share. For tests only.

#include <filesystem>
#include <string>
#include <string_view>

#include "catalog/catalog.h"

namespace schemaward::connect::ddl {

/// Reads a script that must be readable; a failure ends the test.
catalog::Database Read(std::string_view script);

/// The table of that qualified name, which must be there.
const catalog::Table& TableOf(const catalog::Database& database, std::string_view qualified_name);
const catalog::Column& ColumnOf(const catalog::Table& table, std::string_view name);

/// The file of the shared test data, or an empty path where it is not on this machine.
std::filesystem::path SharedData(std::string_view name);

std::string Contents(const std::filesystem::path& path);

}  // namespace schemaward::connect::ddl
