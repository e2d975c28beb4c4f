// Any bytes as a schema script: a catalog whose parts fit each other, or an error.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "connect/ddl/read_script.h"
#include "pgparse/encoding.h"

namespace {

using schemaward::CallContext;
using schemaward::SystemClock;
namespace catalog = schemaward::catalog;
namespace ddl = schemaward::connect::ddl;

void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

void RequireColumns(const catalog::Table& table, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    Require(catalog::FindColumn(table, name) != std::string_view::npos, "a key's column is there");
}

void CheckTable(const catalog::Table& table) {
  std::set<std::string_view> names;
  Require(schemaward::pgparse::IsUtf8(table.name) && schemaward::pgparse::IsUtf8(table.schema) &&
              schemaward::pgparse::IsUtf8(table.comment),
          "text is UTF-8");
  for (const catalog::Column& column : table.columns) {
    Require(names.insert(column.name).second, "column names differ");
    Require(schemaward::pgparse::IsUtf8(column.name) && schemaward::pgparse::IsUtf8(column.type) &&
                schemaward::pgparse::IsUtf8(column.default_value.value_or("")),
            "text is UTF-8");
  }
  if (table.primary_key) RequireColumns(table, table.primary_key->columns);
  for (const catalog::Key& key : table.unique_keys) RequireColumns(table, key.columns);
  for (const catalog::ForeignKey& key : table.foreign_keys) {
    RequireColumns(table, key.columns);
    Require(key.columns.size() == key.target_columns.size(), "a foreign key's columns pair");
  }
}

void CheckDatabase(const catalog::Database& database) {
  std::string before;
  for (const catalog::Table& table : database.tables) {
    const std::string name = table.schema + '\0' + table.name;
    Require(before.empty() || before < name, "tables are sorted and differ");
    before = name;
    CheckTable(table);
  }
  Require(database.missing.size() <= ddl::kMissingMax + 1,
          "the list of what is missing is bounded");
  for (const catalog::Missing& one : database.missing)
    Require(schemaward::pgparse::IsUtf8(one.reason) && one.reason.find('\n') == std::string::npos,
            "a reason is one line of text");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view script(reinterpret_cast<const char*>(data), size);
  const SystemClock clock;
  CallContext ctx(clock);
  const auto first = ddl::ReadScript(script, {}, ctx);
  if (!first) return 0;
  CheckDatabase(*first);
  const auto second = ddl::ReadScript(script, {}, ctx);
  Require(second && *second == *first, "the same script gives the same catalog");
  return 0;
}
