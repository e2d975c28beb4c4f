#include "explore/fake_warehouse.h"

#include <algorithm>

#include "base/ascii.h"

namespace schemaward::explore {
namespace {

std::string BareOf(const std::string& name) { return name.substr(name.rfind('.') + 1); }

}  // namespace

void FakeWarehouse::Add(const std::string& name, const std::vector<std::string>& columns,
                        std::optional<std::int64_t> rows) {
  TableView table;
  table.name = name;
  table.rows = rows;
  for (const std::string& column : columns) table.columns.push_back({column, "integer"});
  tables.push_back(std::move(table));
}

Status FakeWarehouse::Prepare(CallContext& ctx) {
  WARD_CHECK(ctx.Check());
  ++prepared;
  return Ok();
}

Result<std::vector<CatalogEntry>> FakeWarehouse::Catalog(CallContext& ctx) {
  WARD_CHECK(ctx.Check());
  std::vector<CatalogEntry> catalog;
  for (const TableView& table : tables)
    catalog.push_back({table.name, table.name.substr(0, table.name.find('.')),
                       static_cast<std::int64_t>(table.columns.size()), table.rows});
  std::sort(catalog.begin(), catalog.end(),
            [](const CatalogEntry& a, const CatalogEntry& b) { return a.name < b.name; });
  return catalog;
}

Result<ResolvedName> FakeWarehouse::Resolve(const std::string& name, CallContext& ctx) {
  WARD_CHECK(ctx.Check());
  ResolvedName found;
  for (const TableView& table : tables) {
    if (EqualsIgnoringAsciiCase(table.name, name)) return ResolvedName{table.name, {}, false};
    if (EqualsIgnoringAsciiCase(BareOf(table.name), name)) found.near.push_back(table.name);
  }
  found.is_ambiguous = found.near.size() > 1;
  if (found.near.size() == 1) return ResolvedName{found.near.front(), {}, false};
  if (found.near.empty() && !tables.empty()) found.near.push_back(tables.front().name);
  return found;
}

Result<std::vector<TableView>> FakeWarehouse::Lookup(const std::vector<std::string>& names,
                                                     CallContext& ctx) {
  WARD_CHECK(ctx.Check());
  lookups.push_back(names);
  if (failure) return *failure;
  std::vector<TableView> found;
  for (const std::string& name : names)
    for (const TableView& table : tables)
      if (table.name == name) found.push_back(table);
  return found;
}

Result<std::vector<TableHit>> FakeWarehouse::Search(const std::string& text, std::int64_t hits_max,
                                                    CallContext& ctx) {
  WARD_CHECK(ctx.Check());
  searches.emplace_back(text, hits_max);
  if (failure) return *failure;
  std::vector<TableHit> hits;
  for (const TableView& table : tables)
    if (table.name.find(text) != std::string::npos &&
        static_cast<std::int64_t>(hits.size()) < hits_max)
      hits.push_back({table.name, table.rows, "its name"});
  return hits;
}

Result<QueryResult> FakeWarehouse::Query(const std::string& sql, CallContext& ctx) {
  WARD_CHECK(ctx.Check());
  queries.push_back(sql);
  if (failure) return *failure;
  const auto found = results.find(sql);
  if (found != results.end()) return found->second;
  return Error(ErrorKind::SqlUnknownName, "table \"a.b\" has no column \"c\"").Near({"d"});
}

}  // namespace schemaward::explore
