#include "tools/definition_list.h"

#include "text/nearest.h"
#include "tools/relevance.h"

namespace schemaward::tools {
namespace {

using store::DefinitionKind;

bool Concerns(const Listed& one, DefinitionKind kind, const semantic::ModelEntity& entity) {
  const semantic::Model& model = *one.at->model;
  const std::string& name = entity.definition.name;
  const auto& entities = model.entities();
  // Entities of one name in two sources are two.
  const bool is_here =
      !entities.empty() && &entity >= &entities.front() && &entity <= &entities.back();
  if (!is_here) return false;
  if (kind == DefinitionKind::Join) {
    const semantic::Join& join = model.joins()[one.index].definition;
    return join.from == name || join.to == name;
  }
  if (kind == DefinitionKind::Metric) {
    const auto facts = FactsOf(model, model.metrics()[one.index].definition);
    return std::find(facts.begin(), facts.end(), name) != facts.end();
  }
  return &model.entities()[one.index] == &entity;
}

std::size_t CountOf(const semantic::Model& model, DefinitionKind kind) {
  switch (kind) {
    case DefinitionKind::Entity:
      return model.entities().size();
    case DefinitionKind::Join:
      return model.joins().size();
    case DefinitionKind::Metric:
      return model.metrics().size();
  }
  return 0;
}

const std::string& NameOf(const semantic::Model& model, DefinitionKind kind, std::size_t index) {
  if (kind == DefinitionKind::Join) return model.joins()[index].definition.name;
  if (kind == DefinitionKind::Metric) return model.metrics()[index].definition.name;
  return model.entities()[index].definition.name;
}

Said SaidOf(const Listed& one, DefinitionKind kind) {
  const semantic::Model& model = *one.at->model;
  Said said;
  said.name = NameOf(model, kind, one.index);
  if (kind == DefinitionKind::Join) {
    const semantic::Join& join = model.joins()[one.index].definition;
    for (const std::string* role : {&join.role, &join.from_role})
      if (!role->empty()) said.synonyms.push_back(*role);
    said.members = {join.from, join.to};
    said.description = join.description;
  } else if (kind == DefinitionKind::Metric) {
    const semantic::Metric& metric = model.metrics()[one.index].definition;
    said.synonyms = metric.synonyms;
    said.members = FactsOf(model, metric);
    for (const std::string* text : {&metric.column, &metric.expression, &metric.unit})
      if (!text->empty()) said.members.push_back(*text);
    said.description = metric.description;
  } else {
    const semantic::ModelEntity& entity = model.entities()[one.index];
    said.synonyms = entity.definition.synonyms;
    said.members = entity.ColumnNames();
    said.members.push_back(entity.definition.table);
    said.description = entity.definition.description + ' ' + entity.table.comment;
  }
  return said;
}

}  // namespace

void ListIn::Bind(json::Fields& f) {
  f("query", query, "words to search for; all where absent", {.length_max = kListQueryMax});
  f("entity", entity, "only what concerns this entity", {.length_max = kNameMax});
  f("limit", limit, "most rows to return", {.minimum = 1, .maximum = kListMax});
  f("cursor", cursor, "next_cursor of the answer before", {.length_max = kCursorMax});
  f("source", source, "one source by name", {.length_max = kNameMax});
}

std::vector<Listed> Choose(const Models& models, DefinitionKind kind, const ListIn& in,
                           const semantic::ModelEntity* entity, const text::Lexicon& lexicon) {
  std::vector<Listed> all;
  for (const SourceModel& at : models)
    for (std::size_t i = 0; i < CountOf(*at.model, kind); ++i)
      if (const Listed one{&at, i}; entity == nullptr || Concerns(one, kind, *entity))
        all.push_back(one);
  const Relevance relevance(in.query, lexicon);
  if (relevance.is_all()) return all;
  std::vector<Said> said;
  for (const Listed& one : all) said.push_back(SaidOf(one, kind));
  std::vector<Listed> fitting;
  for (const Fit& fit : relevance.Rank(said)) fitting.push_back(all[fit.index]);
  return fitting;
}

std::vector<std::string> NearestDefinitions(const Models& models, DefinitionKind kind,
                                            std::string_view query) {
  text::NearestNames nearest(query, kListNear);
  for (const SourceModel& at : models)
    for (std::size_t i = 0; i < CountOf(*at.model, kind); ++i)
      nearest.Offer(NameOf(*at.model, kind, i));
  return nearest.Take();
}

}  // namespace schemaward::tools
