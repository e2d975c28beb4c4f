#pragma once

// A source as an exploration sees it: the index for names and descriptions, execute_query for rows.

#include <memory>
#include <string>

#include "explore/warehouse.h"
#include "retrieve/meaning.h"
#include "store/store.h"
#include "tool/invoke.h"
#include "tools/run_samples.h"
#include "tools/services.h"

namespace schemaward::tools {

/// Lookups and searches read the index, under the policy of the caller, and never the database; a
/// query is a call of execute_query: approved by the guard, bounded, and in the audit log. So are
/// the statements of Prepare, whose rows stay in here [run_samples.h].
/// Thread: one at a time. Lifetime: services and invoker outlive it.
class IndexWarehouse final : public explore::Warehouse {
 public:
  /// services: as Services::For gives them for the caller. `meaning`: asked in searches in place of
  /// the searcher's own; null: that one. Shared: its embedder is the run's.
  IndexWarehouse(Services services, const tool::Invoker& invoker, store::Source source,
                 explore::SampleLimits limits = {},
                 std::shared_ptr<retrieve::Meaning> meaning = nullptr);

  Status Prepare(CallContext& ctx) override;
  Result<std::vector<explore::CatalogEntry>> Catalog(CallContext& ctx) override;
  Result<explore::ResolvedName> Resolve(const std::string& name, CallContext& ctx) override;
  Result<std::vector<explore::TableView>> Lookup(const std::vector<std::string>& names,
                                                 CallContext& ctx) override;
  Result<std::vector<explore::TableHit>> Search(const std::string& text, std::int64_t hits_max,
                                                CallContext& ctx) override;
  Result<explore::QueryResult> Query(const std::string& sql, CallContext& ctx) override;

 private:
  Result<explore::TableView> View(const std::string& name, const Principal& caller) const;

  const Services services_;
  const tool::Invoker& invoker_;
  const store::Source source_;
  const explore::SampleLimits limits_;
  const std::shared_ptr<retrieve::Meaning> meaning_;
  RunSamples samples_;  // of tables of which the index keeps none
};

}  // namespace schemaward::tools
