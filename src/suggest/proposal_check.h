#pragma once

// What keeps a model's proposal from becoming a draft.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "privacy/policy.h"
#include "semantic/check.h"
#include "semantic/definitions.h"
#include "semantic/model.h"

namespace schemaward::suggest {

/// The definitions of a source, and what was kept of proposals since. The model is built once, and
/// once more for a metric of an entity that was kept meanwhile. Thread: one. Lifetime: keeps
/// references to `tables` and `policy`.
class ProposalCheck {
 public:
  ProposalCheck(semantic::Definitions definitions, const std::vector<catalog::Table>& tables,
                const privacy::Policy& policy);

  /// The definitions that there were.
  const semantic::Model& model() const { return *model_; }
  /// All of them, those that gave way and those that were kept too.
  const semantic::Definitions& definitions() const { return definitions_; }

  /// Why the proposal cannot be kept; empty where it can.
  std::string WhyNot(const semantic::Entity& entity) const;
  std::string WhyNot(const semantic::Metric& metric);
  /// Requires: WhyNot says nothing.
  void Keep(const semantic::Entity& entity);
  void Keep(const semantic::Metric& metric) { definitions_.metrics.push_back(metric); }

 private:
  void Build();

  semantic::Definitions definitions_;
  const std::vector<catalog::Table>& tables_;
  const semantic::TableFinder finder_;
  const privacy::Policy& policy_;
  std::shared_ptr<const semantic::Model> model_;
  std::map<std::string, std::string> entity_of_;  // by qualified name of the table
  bool is_stale_ = false;                         // entities were kept that the model lacks
};

}  // namespace schemaward::suggest
