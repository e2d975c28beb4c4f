// Semantic models of MetricFlow as entities and joins.
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "interchange/carried.h"
#include "interchange/expressions.h"
#include "interchange/flow_project.h"
#include "json/access.h"

namespace schemaward::interchange {
namespace {

using json::Member;
using json::TextOf;
using json::Value;

std::vector<std::string> Synonyms(const Value& node, const std::string& name) {
  const std::string label = TextOf(node, "label");
  return label.empty() || label == name ? std::vector<std::string>() : std::vector{label};
}

std::string TypeOfTime(const std::string& expression) {
  return expression.rfind("cast(", 0) == 0 && expression.find(" as date)") != std::string::npos
             ? "date"
             : "timestamp";
}

void AddDimension(const FlowModel& model, const FlowDimension& from, semantic::Entity& entity,
                  Losses& losses) {
  const std::string object = "dimension " + model.name + "." + from.name;
  if (!Member(*from.node, {"type_params", "validity_params"}).is_null())
    losses.Add(object, "validity_params", "definitions do not join by validity windows");
  if (!from.problem.empty()) return losses.Drop(object, "expr", from.problem);
  if (from.column && *from.column == from.name) return;  // the column itself
  if (!semantic::IsDefinitionName(from.name))
    return losses.Drop(object, "name", "it is no name that definitions may have");
  semantic::Dimension dimension;
  dimension.name = from.name;
  dimension.description = TextOf(*from.node, "description");
  dimension.synonyms = Synonyms(*from.node, from.name);
  dimension.expression = from.column ? Spelled(*from.column) : from.expression;
  if (from.is_time && !from.column) dimension.type = TypeOfTime(from.expression);
  entity.dimensions.push_back(std::move(dimension));
}

/// The columns that tell rows apart: of the primary link, else of the first unique one.
std::vector<std::string> IdentityOf(const FlowModel& model) {
  for (const LinkKind kind : {LinkKind::Primary, LinkKind::Unique})
    for (const FlowLink& link : model.links)
      if (link.kind == kind && link.column) return {*link.column};
  return {};
}

/// Members of a semantic model that a note on it leaves to others.
constexpr std::array<std::string_view, 1> kApart = {"measures"};

const Value& NoteOf(const FlowModel& model) {
  return Member(*model.node, {"config", "meta", kNote});
}

bool AddEntity(const FlowModel& model, semantic::Definitions& definitions, Losses& losses) {
  if (auto noted = Noted<semantic::Entity>(NoteOf(model), NotedPart(*model.node, kApart))) {
    definitions.entities.push_back(std::move(*noted));
    return true;
  }
  const std::string object = "semantic model " + model.name;
  semantic::Entity entity;
  entity.name = model.entity;
  entity.table = model.table;
  entity.identity = IdentityOf(model);
  entity.description = TextOf(*model.node, "description");
  entity.trust = FlowTrust();
  if (model.name != model.entity) entity.synonyms.push_back(model.name);
  for (std::string& label : Synonyms(*model.node, model.entity))
    entity.synonyms.push_back(std::move(label));
  if (entity.table.empty()) {
    losses.Drop(object, "model", "it does not say which table it is over");
    return false;
  }
  if (entity.identity.empty()) {
    losses.Drop(object, "entities", "no primary or unique entity is a column");
    return false;
  }
  for (const FlowDimension& dimension : model.dimensions)
    AddDimension(model, dimension, entity, losses);
  const FlowDimension* time = model.Dimension(model.default_time);
  if (time != nullptr && time->problem.empty()) entity.default_time_dimension = time->Spelling();
  TakeWordless(NoteOf(model), entity);
  definitions.entities.push_back(std::move(entity));
  return true;
}

bool IsOneSide(LinkKind kind) { return kind == LinkKind::Primary || kind == LinkKind::Unique; }

/// Models that a link of `from` leads to.
std::vector<std::pair<const FlowModel*, const FlowLink*>> TargetsOf(const FlowProject& project,
                                                                    const FlowModel& from,
                                                                    const FlowLink& link) {
  std::vector<std::pair<const FlowModel*, const FlowLink*>> targets;
  for (const FlowModel& to : project.models) {
    if (to.entity.empty()) continue;
    for (const FlowLink& other : to.links) {
      if (other.name != link.name || !IsOneSide(other.kind) || &other == &link) continue;
      // Of two one-to-one sides, one is the join's start.
      if (IsOneSide(link.kind) && !(from.name < to.name)) continue;
      targets.emplace_back(&to, &other);
    }
  }
  return targets;
}

void AddJoins(const FlowProject& project, const FlowModel& from, std::set<std::string>& names,
              semantic::Definitions& definitions, Losses& losses) {
  for (const FlowLink& link : from.links) {
    if (link.kind == LinkKind::Natural) {
      losses.Add("semantic model " + from.name, "entity " + link.name,
                 "natural entities are not joined by");
      continue;
    }
    const auto targets = TargetsOf(project, from, link);
    for (const auto& [to, other] : targets) {
      semantic::Join join;
      join.name = from.entity + "_" + link.name;
      if (targets.size() > 1) join.name += "_" + to->entity;
      const std::string object = "join " + join.name;
      if (!link.column || !other->column) {
        losses.Drop(object, "expr", "an entity that it joins by is an expression, not a column");
        continue;
      }
      if (!semantic::IsDefinitionName(join.name) || !names.insert(join.name).second) {
        losses.Drop(object, "name", "it is too long, or another join has it");
        continue;
      }
      join.from = from.entity;
      join.to = to->entity;
      join.on = {{*link.column, *other->column}};
      join.cardinality =
          IsOneSide(link.kind) ? semantic::Cardinality::OneToOne : semantic::Cardinality::ManyToOne;
      if (link.name != to->entity && to->primary != link.name) join.role = link.name;
      if (join.from == join.to) join.role = link.name;
      join.trust = FlowTrust();
      definitions.joins.push_back(std::move(join));
    }
    if (targets.empty() && link.kind == LinkKind::Foreign)
      losses.Add("semantic model " + from.name, "entity " + link.name,
                 "no other semantic model has it as a primary or unique entity: nothing to join");
  }
}

/// True where the links say what the join of a note said.
bool SaysTheSame(const semantic::Join& read, const semantic::Join& noted) {
  if (read.on.size() != 1 || noted.on.size() != 1) return false;
  const semantic::ColumnPair &a = read.on.front(), &b = noted.on.front();
  const bool is_alike = read.from == noted.from && read.to == noted.to && a == b &&
                        read.cardinality == noted.cardinality;
  const bool is_turned = read.from == noted.to && read.to == noted.from && a.from == b.to &&
                         a.to == b.from &&
                         (noted.cardinality == semantic::Cardinality::OneToMany
                              ? read.cardinality == semantic::Cardinality::ManyToOne
                              : noted.cardinality == semantic::Cardinality::OneToOne &&
                                    read.cardinality == noted.cardinality);
  return is_alike || is_turned;
}

/// Joins that an export of ours wrote get back what links have no words for.
void TakeNotedJoins(const FlowModel& model, std::set<std::string>& taken,
                    semantic::Definitions& definitions) {
  std::vector<semantic::Join> noted;
  ReadHidden(Member(NoteOf(model), "joins"), noted);
  for (semantic::Join& one : noted)
    for (semantic::Join& join : definitions.joins)
      if (!taken.contains(join.name) && SaysTheSame(join, one)) {
        join = std::move(one);
        taken.insert(join.name);
        break;
      }
  const Value& hidden = Member(NoteOf(model), "hidden");
  ReadHidden(Member(hidden, "joins"), definitions.joins);
  ReadHidden(Member(hidden, "metrics"), definitions.metrics);
}

}  // namespace

void AddEntities(const FlowProject& project, semantic::Definitions& definitions, Losses& losses) {
  std::set<std::string> there, names, noted;
  for (const FlowModel& model : project.models)
    if (!model.entity.empty() && AddEntity(model, definitions, losses)) there.insert(model.name);
  for (const FlowModel& model : project.models)
    if (there.contains(model.name)) AddJoins(project, model, names, definitions, losses);
  for (const FlowModel& model : project.models)
    if (there.contains(model.name)) TakeNotedJoins(model, noted, definitions);
}

}  // namespace schemaward::interchange
