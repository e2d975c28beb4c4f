#include "suggest/proposal_check.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "semantic/supersede.h"

namespace schemaward::suggest {
namespace {

template <class T>
bool IsTaken(const std::vector<T>& list, const std::string& name) {
  return std::any_of(list.begin(), list.end(),
                     [&](const T& one) { return EqualsIgnoringAsciiCase(one.name, name); });
}

/// True where a text names a column that the policy blocks.
bool NamesBlocked(const privacy::Policy& policy, const catalog::Table& table,
                  const std::string& text) {
  const std::string lower = LowerAscii(text);
  return std::any_of(table.columns.begin(), table.columns.end(),
                     [&](const catalog::Column& column) {
                       return lower.find(LowerAscii(column.name)) != std::string::npos &&
                              policy.RuleOf(table, column).IsBlocked();
                     });
}

std::string TextsOf(const semantic::Metric& metric) {
  std::string texts = metric.column + " " + metric.time_dimension;
  for (const std::string& filter : metric.filters) texts += " " + filter;
  return texts;
}

}  // namespace

ProposalCheck::ProposalCheck(semantic::Definitions definitions,
                             const std::vector<catalog::Table>& tables,
                             const privacy::Policy& policy)
    : definitions_(std::move(definitions)), tables_(tables), finder_(tables), policy_(policy) {
  Build();
}

void ProposalCheck::Build() {
  model_ = semantic::Model::Build(definitions_, tables_);
  for (const semantic::ModelEntity& entity : model_->entities())
    entity_of_[entity.source_table] = entity.definition.name;
  is_stale_ = false;
}

std::string ProposalCheck::WhyNot(const semantic::Entity& entity) const {
  if (IsTaken(definitions_.entities, entity.name)) return "there is an entity of that name";
  semantic::ModelEntity made;
  made.definition = entity;
  if (const catalog::Table* table = finder_.Find(entity.table)) {
    made.table = *table;
    made.source_table = catalog::QualifiedName(*table);
  }
  semantic::CheckEntity(made, finder_);
  if (!made.problems.empty()) return made.problems.front().message;
  if (const auto other = entity_of_.find(made.source_table); other != entity_of_.end())
    return "its table is the entity " + other->second;
  return {};
}

std::string ProposalCheck::WhyNot(const semantic::Metric& metric) {
  if (IsTaken(definitions_.metrics, metric.name)) return "there is a metric of that name";
  for (const semantic::Metric& other : definitions_.metrics)
    if (other.trust.state != semantic::State::Draft && semantic::SameMeasure(metric, other))
      return "it is the metric " + other.name;
  if (is_stale_ && model_->FindEntity(metric.entity) == nullptr) Build();
  semantic::ModelMetric made{metric, {}};
  semantic::CheckMetric(*model_, made);
  if (!made.problems.empty()) return made.problems.front().message;
  // A metric without a problem has an entity.
  if (NamesBlocked(policy_, model_->FindEntity(metric.entity)->table, TextsOf(metric)))
    return "it reads a column that the policy blocks";
  return {};
}

void ProposalCheck::Keep(const semantic::Entity& entity) {
  entity_of_[catalog::QualifiedName(*finder_.Find(entity.table))] = entity.name;
  definitions_.entities.push_back(entity);
  is_stale_ = true;
}

}  // namespace schemaward::suggest
