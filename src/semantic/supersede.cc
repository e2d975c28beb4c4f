#include "semantic/supersede.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace schemaward::semantic {
namespace {

template <class T>
bool IsDraft(const T& definition) {
  return definition.trust.state == State::Draft;
}

// The names of draft entities, and of the entities that stand for them.
std::map<std::string, std::string> ReplacedEntities(const Definitions& definitions,
                                                    const TableFinder& tables) {
  std::map<const catalog::Table*, const Entity*> applied;
  for (const Entity& entity : definitions.entities)
    if (const catalog::Table* table = tables.Find(entity.table);
        table != nullptr && !IsDraft(entity))
      applied.emplace(table, &entity);
  std::map<std::string, std::string> replaced;
  for (const Entity& entity : definitions.entities) {
    if (!IsDraft(entity)) continue;
    const catalog::Table* table = tables.Find(entity.table);
    const auto by = table == nullptr ? applied.end() : applied.find(table);
    if (by != applied.end() && by->second->name != entity.name)
      replaced[entity.name] = by->second->name;
  }
  return replaced;
}

void Rename(std::string& name, const std::map<std::string, std::string>& replaced) {
  if (const auto found = replaced.find(name); found != replaced.end()) name = found->second;
}

// What a join does, whatever it is called and whichever end is named first.
using JoinKey = std::tuple<std::string, std::string, std::string,
                           std::vector<std::pair<std::string, std::string>>>;

JoinKey KeyOf(const Join& join, const TableFinder& tables) {
  std::string bridge;
  std::vector<std::pair<std::string, std::string>> pairs;
  if (join.through) {
    const catalog::Table* table = tables.Find(join.through->table);
    bridge = table == nullptr ? join.through->table : catalog::QualifiedName(*table);
  }
  const bool turned = join.to < join.from;
  for (const ColumnPair& pair : join.on)
    pairs.emplace_back(turned ? pair.to : pair.from, turned ? pair.from : pair.to);
  std::sort(pairs.begin(), pairs.end());
  return {turned ? join.to : join.from, turned ? join.from : join.to, bridge, pairs};
}

}  // namespace

bool SameMeasure(const Metric& a, const Metric& b) {
  return a.type == b.type && a.entity == b.entity && a.aggregation == b.aggregation &&
         a.column == b.column && a.expression == b.expression && a.filters == b.filters;
}

void SupersedeDrafts(Definitions& definitions, const TableFinder& tables) {
  const auto replaced = ReplacedEntities(definitions, tables);
  std::erase_if(definitions.entities, [&](const Entity& entity) {
    return IsDraft(entity) && replaced.contains(entity.name);
  });
  std::set<JoinKey> applied;
  for (const Join& join : definitions.joins)
    if (!IsDraft(join)) applied.insert(KeyOf(join, tables));
  for (Join& join : definitions.joins) {
    if (!IsDraft(join)) continue;
    Rename(join.from, replaced);
    Rename(join.to, replaced);
  }
  std::erase_if(definitions.joins, [&](const Join& join) {
    return IsDraft(join) && applied.contains(KeyOf(join, tables));
  });
  for (Metric& metric : definitions.metrics)
    if (IsDraft(metric)) Rename(metric.entity, replaced);
  const std::vector<Metric> all = definitions.metrics;
  std::erase_if(definitions.metrics, [&](const Metric& metric) {
    return IsDraft(metric) && metric.type == MetricType::Simple &&
           std::any_of(all.begin(), all.end(), [&](const Metric& other) {
             return !IsDraft(other) && SameMeasure(metric, other);
           });
  });
}

}  // namespace schemaward::semantic
