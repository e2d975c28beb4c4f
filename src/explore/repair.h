#pragma once

// Statements that could not run, mended by a model: only where other words may help, and with only
// the tables that the statement names before its eyes.

#include <string>
#include <vector>

#include "base/template_text.h"
#include "explore/state.h"
#include "explore/warehouse.h"
#include "llm/model.h"

namespace schemaward::explore {

/// True where the same question, written otherwise, may pass: SQL that does not parse or names what
/// is not there, and what the engine gave up on while it ran. Never what a policy refused, what
/// waits for a database, a person or more time.
bool CanRewriteCure(const Error& error);

/// A warehouse whose queries are mended. Each statement is rewritten at most kRepairTriesMax times;
/// a rewrite that was tried before ends it, as does a failure that no rewrite can cure. The error
/// of a query that stays broken is that of its last statement. No prompt is sent that the model's
/// window does not hold. Everything else is `inner`'s.
/// Thread: owner. Lifetime: inner and model outlive it.
class RepairingWarehouse final : public Warehouse {
 public:
  /// prompt: the engine's [connect/repair_prompt.h]. Without any, nothing is mended.
  RepairingWarehouse(Warehouse& inner, llm::Llm& model, TemplateText prompt)
      : inner_(inner), model_(model), prompt_(std::move(prompt)) {}

  /// What is known to be right while a claim is verified; empty: an exploration.
  void SetEvidence(std::string evidence) { evidence_ = std::move(evidence); }
  /// Of the last query.
  const std::vector<RepairAttempt>& attempts() const { return attempts_; }
  /// Of all of them.
  const llm::Usage& usage() const { return usage_; }

  Status Prepare(CallContext& ctx) override { return inner_.Prepare(ctx); }
  Result<std::vector<CatalogEntry>> Catalog(CallContext& ctx) override {
    return inner_.Catalog(ctx);
  }
  Result<ResolvedName> Resolve(const std::string& name, CallContext& ctx) override {
    return inner_.Resolve(name, ctx);
  }
  Result<std::vector<TableView>> Lookup(const std::vector<std::string>& names,
                                        CallContext& ctx) override {
    return inner_.Lookup(names, ctx);
  }
  Result<std::vector<TableHit>> Search(const std::string& text, std::int64_t hits_max,
                                       CallContext& ctx) override {
    return inner_.Search(text, hits_max, ctx);
  }
  Result<QueryResult> Query(const std::string& sql, CallContext& ctx) override;

 private:
  Result<std::string> Rewrite(const std::string& sql, const Error& error, CallContext& ctx);
  bool WasTried(const std::string& sql) const;

  Warehouse& inner_;
  llm::Llm& model_;
  const TemplateText prompt_;
  std::string evidence_;
  std::vector<RepairAttempt> attempts_;
  llm::Usage usage_;
};

/// Returns the columns of the tables that `sql` names, and the nearest names for those that are not
/// there. Errors: as the index. Thread: the warehouse's.
Result<std::string> DescribeNamedTables(const std::string& sql, Warehouse& warehouse,
                                        CallContext& ctx);

}  // namespace schemaward::explore
