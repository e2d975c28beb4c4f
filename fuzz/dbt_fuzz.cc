// Any bytes as manifest.json, then after a zero byte catalog.json: a catalog whose parts fit each
// other, or an error.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "connect/dbt/read_target.h"

namespace {

using schemaward::CallContext;
using schemaward::SystemClock;
namespace catalog = schemaward::catalog;
namespace dbt = schemaward::connect::dbt;

void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

void RequireColumns(const catalog::Table& table, const std::vector<std::string>& names) {
  Require(!names.empty(), "a key has columns");
  for (const std::string& name : names)
    Require(catalog::FindColumn(table, name) != std::string_view::npos, "a key's column is there");
}

void CheckTable(const catalog::Table& table) {
  std::set<std::string_view> names;
  for (const catalog::Column& column : table.columns)
    Require(names.insert(column.name).second, "column names differ");
  if (table.primary_key) RequireColumns(table, table.primary_key->columns);
  for (const catalog::Key& key : table.unique_keys) RequireColumns(table, key.columns);
  for (const catalog::ForeignKey& key : table.foreign_keys) {
    RequireColumns(table, key.columns);
    Require(key.columns.size() == key.target_columns.size(), "a foreign key's columns pair");
  }
}

void CheckDatabase(const catalog::Database& database) {
  const catalog::Table* before = nullptr;
  for (const catalog::Table& table : database.tables) {
    Require(before == nullptr ||
                std::pair(before->schema, before->name) < std::pair(table.schema, table.name),
            "tables are sorted and differ");
    before = &table;
    CheckTable(table);
  }
  Require(database.missing.size() <= dbt::kMissingMax + 1,
          "the list of what is missing is bounded");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string_view manifest = bytes.substr(0, bytes.find('\0'));
  const std::string_view catalog_text = bytes.substr(std::min(manifest.size() + 1, bytes.size()));
  const SystemClock clock;
  CallContext ctx(clock);
  auto artifacts = dbt::ParseArtifacts(manifest, catalog_text);
  if (!artifacts) return 0;
  const auto database = dbt::ReadTarget(std::move(*artifacts), {}, ctx);
  if (!database) return 0;
  CheckDatabase(*database);
  return 0;
}
