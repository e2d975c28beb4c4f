#include "tools/models.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/ascii.h"
#include "json/value.h"
#include "store/definitions.h"
#include "text/nearest.h"
#include "tools/shapes.h"
#include "tools/trust.h"

namespace schemaward::tools {
namespace {

constexpr std::size_t kNear = 3;
constexpr std::size_t kEchoMax = 100;  // bytes of a wrong name that are repeated

std::string Echo(std::string_view name) { return CleanText(name, kEchoMax); }

// source:name, where a source is called so.
const SourceModel* SplitSource(const Models& models, std::string_view& name) {
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) return nullptr;
  for (const SourceModel& at : models)
    if (at.source.name == name.substr(0, colon)) {
      name.remove_prefix(colon + 1);
      return &at;
    }
  return nullptr;
}

// The only entity that some join calls so.
const semantic::ModelEntity* EntityOfRole(const semantic::Model& model, std::string_view role) {
  const semantic::ModelEntity* found = nullptr;
  for (std::size_t node = 0; node < model.nodes().size(); ++node)
    for (const semantic::Leg& leg : model.LegsFrom(node)) {
      if (leg.role.empty() || !EqualsIgnoringAsciiCase(leg.role, role)) continue;
      const auto entity = model.nodes()[leg.to].entity;
      if (!entity) continue;
      const semantic::ModelEntity* other = &model.entities()[*entity];
      if (found != nullptr && found != other) return nullptr;
      found = other;
    }
  return found;
}

std::vector<FoundEntity> Lookup(const Models& models, const SourceModel* only,
                                const std::string& name) {
  std::vector<FoundEntity> found;
  for (const bool as_role : {false, true}) {
    for (const SourceModel& at : models) {
      if (only != nullptr && only != &at) continue;
      const semantic::ModelEntity* entity =
          as_role ? EntityOfRole(*at.model, name) : at.model->FindEntity(name);
      if (entity != nullptr) found.push_back({&at, entity, as_role ? name : ""});
    }
    if (!found.empty()) break;
  }
  return found;
}

std::vector<std::string> NearEntities(const Models& models, const SourceModel* only,
                                      std::string_view name) {
  text::NearestNames nearest(name, kNear);
  std::set<std::string> seen;
  for (const SourceModel& at : models) {
    if (only != nullptr && only != &at) continue;
    for (const semantic::ModelEntity& entity : at.model->entities())
      if (seen.insert(entity.definition.name).second) nearest.Offer(entity.definition.name);
  }
  return nearest.Take();
}

const std::string* EntityOfTable(const Models& models, const FoundTable& table) {
  for (const SourceModel& at : models) {
    if (at.source.id != table.source.id) continue;
    for (const semantic::ModelEntity& entity : at.model->entities())
      if (!entity.source_table.empty() && entity.table.schema == table.entry.schema &&
          entity.table.name == table.entry.name)
        return &entity.definition.name;
  }
  return nullptr;
}

}  // namespace

Result<Models> ModelsOf(const Services& services, const Scope& scope) {
  Models models;
  for (const store::Source& source : scope.sources) {
    WARD_TRY(auto model, services.models.Get(source));
    WARD_TRY(const auto generation, store::DefinitionGeneration(services.store, source.id));
    VisibleModel visible = VisibleOf(services, source, std::move(model));
    models.push_back({source, std::move(visible.model), source.generation + generation,
                      std::move(visible.entities), std::move(visible.metrics)});
  }
  return models;
}

std::int64_t VersionOf(const Models& models) {
  std::int64_t sum = 0;
  for (const SourceModel& at : models) sum += at.version;
  return sum;
}

bool HasNoEntity(const Models& models) {
  return std::all_of(models.begin(), models.end(),
                     [](const SourceModel& at) { return at.model->entities().empty(); });
}

const privacy::Access* FindKeptBack(const KeptBack& names, std::string_view name) {
  for (const auto& [kept, access] : names)
    if (EqualsIgnoringAsciiCase(kept, name)) return &access;
  return nullptr;
}

Result<FoundEntity> FindEntity(const Models& models, std::string_view name) {
  std::string_view rest = name;
  const SourceModel* only = SplitSource(models, rest);
  const std::vector<std::string> parts = catalog::SplitName(rest);
  if (parts.size() == 1) {
    const std::vector<FoundEntity> found = Lookup(models, only, parts.front());
    if (found.size() == 1) return found.front();
    if (found.size() > 1) {
      Error error(ErrorKind::AmbiguousName,
                  fmt::format("{} sources have an entity \"{}\"", found.size(), Echo(name)));
      std::vector<std::string> near;
      for (const FoundEntity& one : found)
        near.push_back(one.at->source.name + ':' + one.entity->definition.name);
      return error.Near(std::move(near));
    }
  }
  const bool is_plain = parts.size() == 1;
  for (const SourceModel& at : models)
    if (const auto* kept = is_plain && (only == nullptr || only == &at)
                               ? FindKeptBack(at.entities, parts.front())
                               : nullptr)
      return Refusal(*kept, "entity", Echo(name));
  Error error(is_plain ? ErrorKind::UnknownEntity : ErrorKind::MalformedName,
              is_plain
                  ? fmt::format("no entity is named \"{}\"", Echo(name))
                  : fmt::format("\"{}\" is not an entity's name, which is one word", Echo(name)));
  if (HasNoEntity(models)) error.Detail("No entity is defined yet.");
  return error.Near(NearEntities(models, only, parts.empty() ? rest : parts.back()));
}

std::optional<Error> SisterOfEntity(const Services& services, const Scope& scope,
                                    const Models& models, std::string_view name,
                                    const std::optional<std::string>& source) {
  std::vector<std::string> near;
  std::optional<Error> error;
  if (const auto table = LookUpTable(services, scope, name); table && *table) {
    if (const std::string* entity = EntityOfTable(models, **table)) near.push_back(*entity);
    error.emplace(ErrorKind::UnknownEntity,
                  fmt::format("\"{}\" is a table, not an entity", Echo(name)));
    error->Suggest("describe_table", NameArguments((*table)->qualified_name, source));
  } else if (const auto column = LookUpColumn(services, scope, name); column && *column) {
    if (const std::string* entity = EntityOfTable(models, (*column)->table))
      near.push_back(*entity);
    error.emplace(ErrorKind::UnknownEntity,
                  fmt::format("\"{}\" is a column, not an entity", Echo(name)));
    error->Suggest("describe_column", NameArguments((*column)->qualified_name, source));
  }
  for (const SourceModel& at : models) {
    if (error) break;
    const semantic::ModelMetric* metric = at.model->FindMetric(name);
    if (metric == nullptr) continue;
    near = FactsOf(*at.model, metric->definition);
    error.emplace(ErrorKind::UnknownEntity,
                  fmt::format("\"{}\" is a metric, not an entity", Echo(name)));
    error->Suggest("list_metrics", QueryArguments(metric->definition.name, source));
  }
  if (!error) return std::nullopt;
  for (std::string& other : NearEntities(models, nullptr, name))
    if (std::find(near.begin(), near.end(), other) == near.end()) near.push_back(std::move(other));
  error->Near(std::move(near));
  return error;
}

std::optional<Error> SisterEntity(const Services& services, const Scope& scope,
                                  std::string_view name, const std::optional<std::string>& source) {
  const auto models = ModelsOf(services, scope);
  if (!models) return std::nullopt;
  const auto found = FindEntity(*models, name);
  if (!found) return std::nullopt;
  const semantic::ModelEntity& entity = *found->entity;
  Error error(ErrorKind::UnknownTable, fmt::format("\"{}\" is an entity, not a table", Echo(name)));
  if (!entity.source_table.empty()) error.Near({entity.source_table});
  error.Suggest("describe_entity", EntityArguments(entity.definition.name, source));
  return error;
}

std::string EntityArguments(const std::string& name, const std::optional<std::string>& source) {
  std::string out = "{\"name\":" + json::Quote(name);
  if (source && !source->empty()) out += ",\"source\":" + json::Quote(*source);
  return out + '}';
}

std::string QueryArguments(std::string_view name, const std::optional<std::string>& source) {
  std::string out = "{\"query\":" + json::Quote(AsQuery(name));
  if (source && !source->empty()) out += ",\"source\":" + json::Quote(*source);
  return out + '}';
}

std::vector<std::string> FactsOf(const semantic::Model& model, const semantic::Metric& metric) {
  std::set<std::string> facts, seen;
  std::vector<const semantic::Metric*> open = {&metric};
  while (!open.empty()) {
    const semantic::Metric& one = *open.back();
    open.pop_back();
    if (!seen.insert(one.name).second) continue;
    if (one.type == semantic::MetricType::Simple) facts.insert(one.entity);
    std::vector<std::string> names = {one.base, one.conversion};
    for (const auto* input : {&one.numerator, &one.denominator, &one.input})
      if (*input) names.push_back((*input)->metric);
    for (const semantic::MetricInput& input : one.inputs) names.push_back(input.metric);
    for (const std::string& name : names)
      if (const auto* used = name.empty() ? nullptr : model.FindMetric(name))
        open.push_back(&used->definition);
  }
  return {facts.begin(), facts.end()};
}

std::string ProblemOf(const std::vector<semantic::Problem>& problems) {
  if (problems.empty()) return {};
  const semantic::Problem& first = problems.front();
  return first.near.empty()
             ? first.message
             : fmt::format("{}; the nearest is \"{}\"", first.message, first.near.front());
}

WeakestTrust WeakestOf(const std::vector<const semantic::Trust*>& trusts) {
  if (trusts.empty()) return {};
  const semantic::Trust& weakest = Weakest(trusts);
  return {ConfidenceOf(weakest), ProvenanceOf(weakest)};
}

}  // namespace schemaward::tools
