#pragma once

// From the names of entities, joins and metrics in a call to the models of the sources, and what
// the tools that speak of definitions share.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "semantic/model.h"
#include "tool/tool.h"
#include "tools/names.h"
#include "tools/services.h"
#include "tools/visible.h"

namespace schemaward::tools {

/// A source and what is defined over it.
struct SourceModel {
  store::Source source;
  std::shared_ptr<const semantic::Model> model;
  std::int64_t version = 0;        ///< grows with each index and each change of definitions
  KeptBack entities{}, metrics{};  ///< names that the model had and the caller may not know of
};
using Models = std::vector<SourceModel>;

/// Returns the models of the sources in scope, in their order. Errors: the store's.
Result<Models> ModelsOf(const Services& services, const Scope& scope);

/// Grows with each index and each change of definitions of any of them; what cursors hold.
std::int64_t VersionOf(const Models& models);

/// True when no source has an entity.
bool HasNoEntity(const Models& models);

/// An entity, or what it is called in a role. Lifetime: the models'.
struct FoundEntity {
  const SourceModel* at = nullptr;
  const semantic::ModelEntity* entity = nullptr;
  std::string role;  ///< set where the name is a role of one entity
};

/// Returns why the name is kept back, but for case, or null.  Lifetime: the names'.
const privacy::Access* FindKeptBack(const KeptBack& names, std::string_view name);

/// Returns the entity that `name`, or source:name, means: by its name, else by case folding, a
/// synonym, or a role that one entity has. Errors: UnknownEntity and MalformedName (near names),
/// AmbiguousName (near names are source:name); AllowlistViolation, PolicyBlocked where it is kept
/// back; without a call.
Result<FoundEntity> FindEntity(const Models& models, std::string_view name);

/// Where names wrong in one way mean another object: the sister tool, complete. [R-NAME-1]
/// Returns the error of a table's, column's or metric's name that stands for an entity's, or
/// nothing.
std::optional<Error> SisterOfEntity(const Services& services, const Scope& scope,
                                    const Models& models, std::string_view name,
                                    const std::optional<std::string>& source);

/// Returns the entity that a table's name which is none means, if there is one: the error that
/// leads to describe_entity.
std::optional<Error> SisterEntity(const Services& services, const Scope& scope,
                                  std::string_view name, const std::optional<std::string>& source);

/// Returns {"name":...,"source":...}, the source only where it is given.
std::string EntityArguments(const std::string& name, const std::optional<std::string>& source);

/// Returns {"query":...,"source":...} with the words of `name`.
std::string QueryArguments(std::string_view name, const std::optional<std::string>& source);

/// Names of the entities whose rows the metric is made of, each once, sorted. [bounded by the
/// model's metrics]
std::vector<std::string> FactsOf(const semantic::Model& model, const semantic::Metric& metric);

/// Sets confidence and provenance to those of the weakest of `trusts`; to none where it is empty.
template <class Out>
void TakeWeakest(const std::vector<const semantic::Trust*>& trusts, tool::Outcome<Out>& outcome);

/// What a definition's first problem is; empty where it has none.
std::string ProblemOf(const std::vector<semantic::Problem>& problems);

/// Confidence and provenance of the weakest; nothing where there is none.
struct WeakestTrust {
  std::optional<tool::Confidence> confidence;
  std::optional<tool::Provenance> provenance;
};
WeakestTrust WeakestOf(const std::vector<const semantic::Trust*>& trusts);

template <class Out>
void TakeWeakest(const std::vector<const semantic::Trust*>& trusts, tool::Outcome<Out>& outcome) {
  WeakestTrust weakest = WeakestOf(trusts);
  outcome.confidence = weakest.confidence;
  outcome.provenance = std::move(weakest.provenance);
}

}  // namespace schemaward::tools
