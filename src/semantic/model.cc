#include "semantic/model.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/ascii.h"
#include "semantic/check.h"
#include "semantic/supersede.h"
#include "text/nearest.h"

namespace schemaward::semantic {
namespace {

constexpr std::size_t kNear = 3;

template <class List>
auto FindByName(const List& list, std::string_view name) -> decltype(list.data()) {
  const auto at = std::lower_bound(
      list.begin(), list.end(), name,
      [](const auto& one, std::string_view wanted) { return one.definition.name < wanted; });
  if (at != list.end() && at->definition.name == name) return &*at;
  decltype(list.data()) found = nullptr;
  for (const auto& one : list) {
    if (!EqualsIgnoringAsciiCase(one.definition.name, name)) continue;
    if (found != nullptr) return nullptr;
    found = &one;
  }
  return found;
}

// The only one that has the name among its synonyms.
template <class List>
auto FindBySynonym(const List& list, std::string_view name) -> decltype(list.data()) {
  decltype(list.data()) found = nullptr;
  for (const auto& one : list)
    for (const std::string& synonym : one.definition.synonyms) {
      if (!EqualsIgnoringAsciiCase(synonym, name)) continue;
      if (found != nullptr && found != &one) return nullptr;
      found = &one;
    }
  return found;
}

template <class List>
std::vector<std::string> Near(const List& list, std::string_view name) {
  text::NearestNames nearest(name, kNear);
  for (const auto& one : list) nearest.Offer(one.definition.name);
  return nearest.Take();
}

template <class List>
void SortByName(List& list) {
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
    return a.definition.name < b.definition.name;
  });
}

template <class List>
void MarkDuplicates(List& list) {
  for (std::size_t i = 1; i < list.size(); ++i)
    if (list[i].definition.name == list[i - 1].definition.name)
      list[i].problems.push_back({ErrorKind::InvalidArgument,
                                  list[i].definition.name,
                                  "another definition has this name",
                                  {},
                                  "name"});
}

std::vector<ColumnPair> Reversed(const std::vector<ColumnPair>& pairs) {
  std::vector<ColumnPair> reversed;
  for (const ColumnPair& pair : pairs) reversed.push_back({pair.to, pair.from});
  return reversed;
}

// True when a key of the table says that the columns tell its rows apart.
bool IsUnique(const catalog::Table& table, const std::vector<std::string>& columns) {
  const auto covers = [&](const std::vector<std::string>& key) {
    return !key.empty() && std::all_of(key.begin(), key.end(), [&](const std::string& column) {
      return std::find(columns.begin(), columns.end(), column) != columns.end();
    });
  };
  if (table.primary_key && covers(table.primary_key->columns)) return true;
  return std::any_of(table.unique_keys.begin(), table.unique_keys.end(),
                     [&](const catalog::Key& key) { return covers(key.columns); });
}

std::vector<std::string> Columns(const std::vector<ColumnPair>& pairs, bool of_to) {
  std::vector<std::string> columns;
  for (const ColumnPair& pair : pairs) columns.push_back(of_to ? pair.to : pair.from);
  return columns;
}

}  // namespace

const catalog::Column* ModelEntity::Column(std::string_view name) const {
  const std::size_t at = catalog::FindColumn(table, name);
  if (at == std::string_view::npos) return nullptr;
  const auto& allowed = definition.columns;
  const bool usable = allowed.empty() ||
                      std::find(allowed.begin(), allowed.end(), name) != allowed.end() ||
                      std::find(definition.identity.begin(), definition.identity.end(), name) !=
                          definition.identity.end();
  return usable ? &table.columns[at] : nullptr;
}

const Dimension* ModelEntity::FindDimension(std::string_view name) const {
  for (const Dimension& dimension : definition.dimensions)
    if (dimension.name == name) return &dimension;
  return nullptr;
}

std::vector<std::string> ModelEntity::ColumnNames() const {
  std::vector<std::string> names;
  for (const catalog::Column& column : table.columns)
    if (Column(column.name) != nullptr) names.push_back(column.name);
  for (const Dimension& dimension : definition.dimensions) names.push_back(dimension.name);
  return names;
}

const ModelEntity* Model::FindEntity(std::string_view name) const {
  const ModelEntity* found = FindByName(entities_, name);
  return found != nullptr ? found : FindBySynonym(entities_, name);
}

const ModelJoin* Model::FindJoin(std::string_view name) const { return FindByName(joins_, name); }

const ModelMetric* Model::FindMetric(std::string_view name) const {
  const ModelMetric* found = FindByName(metrics_, name);
  return found != nullptr ? found : FindBySynonym(metrics_, name);
}

std::size_t Model::NodeOf(const ModelEntity& entity) const {
  return static_cast<std::size_t>(&entity - entities_.data());
}

std::vector<std::string> Model::NearEntities(std::string_view name) const {
  return Near(entities_, name);
}
std::vector<std::string> Model::NearJoins(std::string_view name) const {
  return Near(joins_, name);
}
std::vector<std::string> Model::NearMetrics(std::string_view name) const {
  return Near(metrics_, name);
}

std::vector<Model::Finding> Model::Findings() const {
  std::vector<Finding> findings;
  const auto add = [&](const char* kind, const auto& list) {
    for (const auto& one : list)
      for (const Problem& problem : one.problems)
        findings.push_back({fmt::format("{} {}", kind, one.definition.name), problem});
  };
  add("entity", entities_);
  add("join", joins_);
  add("metric", metrics_);
  return findings;
}

void Model::AddEntities(std::vector<Entity> definitions, const TableFinder& tables) {
  for (Entity& definition : definitions) {
    ModelEntity& entity = entities_.emplace_back();
    entity.definition = std::move(definition);
    if (const catalog::Table* table = tables.Find(entity.definition.table)) {
      entity.table = *table;
      entity.source_table = catalog::QualifiedName(*table);
    }
  }
  SortByName(entities_);
  MarkDuplicates(entities_);
  for (ModelEntity& entity : entities_) CheckEntity(entity, tables);
  for (std::size_t i = 0; i < entities_.size(); ++i)
    nodes_.push_back({entities_[i].definition.name, i, entities_[i].table});
}

void Model::AddJoins(std::vector<Join> definitions, const TableFinder& tables) {
  for (Join& definition : definitions) joins_.push_back({std::move(definition), {}});
  SortByName(joins_);
  MarkDuplicates(joins_);
  for (ModelJoin& join : joins_) CheckJoin(*this, tables, join);
  legs_.resize(nodes_.size());
  for (std::size_t i = 0; i < joins_.size(); ++i)
    if (joins_[i].problems.empty()) AddLegs(i, tables);
}

void Model::AddLegs(std::size_t at, const TableFinder& tables) {
  const Join& join = joins_[at].definition;
  const std::size_t from = NodeOf(*FindByName(entities_, join.from));
  const std::size_t to = NodeOf(*FindByName(entities_, join.to));
  if (join.through) {
    const std::size_t bridge = nodes_.size();
    nodes_.push_back({join.name, std::nullopt, *tables.Find(join.through->table)});
    legs_.emplace_back();
    const auto& ins = join.through->from;
    const auto& outs = join.through->to;
    // A bridge's row has one end on each side; an end has many rows, or one where a key says so.
    const bool one_in = IsUnique(nodes_[bridge].table, Columns(ins, true));
    const bool one_out = IsUnique(nodes_[bridge].table, Columns(outs, false));
    legs_[from].push_back({at, from, bridge, ins, one_in, true, ""});
    legs_[bridge].push_back({at, bridge, to, outs, true, one_out, join.role});
    legs_[to].push_back({at, to, bridge, Reversed(outs), one_out, true, ""});
    legs_[bridge].push_back({at, bridge, from, Reversed(ins), true, one_in, join.from_role});
    return;
  }
  const bool to_one =
      join.cardinality == Cardinality::ManyToOne || join.cardinality == Cardinality::OneToOne;
  const bool from_one =
      join.cardinality == Cardinality::OneToMany || join.cardinality == Cardinality::OneToOne;
  legs_[from].push_back({at, from, to, join.on, to_one, from_one, join.role});
  legs_[to].push_back({at, to, from, Reversed(join.on), from_one, to_one, join.from_role});
}

std::shared_ptr<const Model> Model::Build(Definitions definitions,
                                          const std::vector<catalog::Table>& tables) {
  auto model = std::make_shared<Model>();
  const TableFinder finder(tables);
  SupersedeDrafts(definitions, finder);
  model->AddEntities(std::move(definitions.entities), finder);
  model->AddJoins(std::move(definitions.joins), finder);
  for (auto& legs : model->legs_)
    std::stable_sort(legs.begin(), legs.end(), [&](const Leg& a, const Leg& b) {
      const auto& left = model->joins_[a.join].definition.name;
      const auto& right = model->joins_[b.join].definition.name;
      return std::tie(left, a.to) < std::tie(right, b.to);
    });
  std::set<std::string> seen;
  for (const Node& node : model->nodes_)
    if (seen.insert(catalog::QualifiedName(node.table)).second)
      model->tables_.push_back(node.table);
  for (Metric& metric : definitions.metrics) model->metrics_.push_back({std::move(metric), {}});
  SortByName(model->metrics_);
  MarkDuplicates(model->metrics_);
  for (ModelMetric& metric : model->metrics_) CheckMetric(*model, metric);
  return model;
}

}  // namespace schemaward::semantic
