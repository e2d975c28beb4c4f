#pragma once

// A warehouse in memory, for tests: it answers what it was given, and fails when it is told to.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "explore/warehouse.h"

namespace schemaward::explore {

/// Thread: owner.
class FakeWarehouse final : public Warehouse {
 public:
  std::vector<TableView> tables;                  ///< names are schema.table
  std::map<std::string, QueryResult> results;     ///< by SQL; others are SqlUnknownName
  std::optional<Error> failure;                   ///< of every lookup, search and query
  std::vector<std::vector<std::string>> lookups;  ///< names of each lookup so far
  std::vector<std::pair<std::string, std::int64_t>> searches;
  std::vector<std::string> queries;
  int prepared = 0;  ///< times that a run began

  /// Adds a table with columns of type integer.
  void Add(const std::string& name, const std::vector<std::string>& columns,
           std::optional<std::int64_t> rows = {});

  Status Prepare(CallContext& ctx) override;
  Result<std::vector<CatalogEntry>> Catalog(CallContext& ctx) override;
  /// A bare name means the one table that has it; case folds.
  Result<ResolvedName> Resolve(const std::string& name, CallContext& ctx) override;
  Result<std::vector<TableView>> Lookup(const std::vector<std::string>& names,
                                        CallContext& ctx) override;
  Result<std::vector<TableHit>> Search(const std::string& text, std::int64_t hits_max,
                                       CallContext& ctx) override;
  Result<QueryResult> Query(const std::string& sql, CallContext& ctx) override;
};

}  // namespace schemaward::explore
