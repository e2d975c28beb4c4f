#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "connect/ddl/read_script.h"
#include "connect/ddl/test_support.h"

namespace schemaward::connect::ddl {

catalog::Database Read(std::string_view script) {
  const SystemClock clock;
  CallContext ctx(clock);
  auto database = ReadScript(script, {}, ctx);
  if (!database) throw std::runtime_error(database.error().ToLogText());
  return *std::move(database);
}

const catalog::Table& TableOf(const catalog::Database& database, std::string_view qualified_name) {
  for (const catalog::Table& table : database.tables) {
    if (catalog::QualifiedName(table) == qualified_name) return table;
  }
  throw std::runtime_error("no table " + std::string(qualified_name));
}

const catalog::Column& ColumnOf(const catalog::Table& table, std::string_view name) {
  const std::size_t at = catalog::FindColumn(table, name);
  if (at == std::string_view::npos) throw std::runtime_error("no column " + std::string(name));
  return table.columns[at];
}

std::filesystem::path SharedData(std::string_view name) {
  const char* named = std::getenv("SCHEMAWARD_TEST_DATA");  // NOLINT(concurrency-mt-unsafe)
  const std::filesystem::path folder =
      named != nullptr ? named : std::filesystem::path(WARD_SOURCE_DIR) / "../shared/data";
  const std::filesystem::path path = folder / name;
  return std::filesystem::exists(path) ? path : std::filesystem::path();
}

std::string Contents(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace schemaward::connect::ddl
