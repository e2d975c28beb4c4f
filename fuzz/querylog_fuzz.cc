// Any bytes as a query log: joins and examples that fit the index, and no constant in any of them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "pgparse/normalize.h"
#include "querylog/read.h"
#include "querylog/statements.h"

namespace {

namespace catalog = schemaward::catalog;
namespace querylog = schemaward::querylog;

void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

catalog::Table MakeTable(const char* schema, const char* name,
                         const std::vector<const char*>& columns) {
  catalog::Table table;
  table.schema = schema;
  table.name = name;
  for (const char* column : columns) table.columns.emplace_back().name = column;
  return table;
}

std::vector<catalog::Table> Tables() {
  return {MakeTable("public", "a", {"id", "b_id", "x", "name"}),
          MakeTable("public", "b", {"id", "x", "y"}), MakeTable("s", "A", {"Id", "x"})};
}

void CheckJoin(const querylog::ObservedJoin& join, const std::vector<catalog::Table>& tables) {
  Require(!join.columns.empty() && join.columns.size() == join.target_columns.size(),
          "a join's columns pair");
  const auto has = [&](const std::string& name, const std::vector<std::string>& columns) {
    return std::any_of(tables.begin(), tables.end(), [&](const catalog::Table& table) {
      return catalog::QualifiedName(table) == name &&
             std::all_of(columns.begin(), columns.end(), [&](const std::string& column) {
               return catalog::FindColumn(table, column) < table.columns.size();
             });
    });
  };
  Require(has(join.table, join.columns) && has(join.target, join.target_columns),
          "a join's columns are the index's");
  Require(join.observations > 0, "a join was seen");
}

void CheckQuery(const querylog::Query& query) {
  Require(!query.tables.empty(), "an example reads a table");
  Require(query.sql.size() <= querylog::kQueryBytesMax, "an example is bounded");
  const auto plain = schemaward::pgparse::MakePlain(query.sql);
  Require(plain && !plain->has_constants, "an example holds no constant");
  Require(plain->text == query.sql, "an example is plain already");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto entries =
      querylog::ReadStatements(std::string_view(reinterpret_cast<const char*>(data), size), "log");
  if (!entries) return 0;
  const schemaward::SystemClock clock;
  schemaward::CallContext ctx(clock);
  const auto tables = Tables();
  const auto first = querylog::Read(*entries, tables, {}, ctx);
  if (!first) return 0;
  const querylog::Counts& counts = first->counts;
  Require(counts.read + counts.elsewhere + counts.other + counts.unread == counts.statements,
          "every statement is counted once");
  for (const querylog::ObservedJoin& join : first->joins) CheckJoin(join, tables);
  for (const querylog::Query& query : first->queries) CheckQuery(query);
  const auto second = querylog::Read(*entries, tables, {}, ctx);
  Require(second && second->joins == first->joins && second->queries == first->queries,
          "the same log says the same");
  return 0;
}
