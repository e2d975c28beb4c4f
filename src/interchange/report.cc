#include "interchange/report.h"

#include <algorithm>
#include <set>
#include <utility>

namespace schemaward::interchange {
namespace {

std::vector<std::string> InputsOf(const semantic::Metric& metric) {
  std::vector<std::string> names;
  for (const auto* input : {&metric.numerator, &metric.denominator, &metric.input})
    if (*input) names.push_back((*input)->metric);
  for (const semantic::MetricInput& input : metric.inputs) names.push_back(input.metric);
  if (metric.type == semantic::MetricType::Conversion) {
    names.push_back(metric.base);
    names.push_back(metric.conversion);
  }
  return names;
}

using Names = std::set<std::string, std::less<>>;

template <class List>
Names NamesOf(const List& list) {
  Names names;
  for (const auto& one : list) names.insert(one.name);
  return names;
}

std::string Lacks(const semantic::Metric& metric, const Names& entities, const Names& metrics) {
  if (metric.type == semantic::MetricType::Simple && !entities.contains(metric.entity))
    return "entity " + metric.entity;
  for (const std::string& input : InputsOf(metric))
    if (!metrics.contains(input)) return "metric " + input;
  return {};
}

template <class List>
void SortByName(List& list) {
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.name < b.name; });
}

}  // namespace

void Loss::Bind(json::Fields& f) {
  f("object", object, "what it is about, as \"metric revenue\"");
  f("member", member, "which part of it; empty: the whole", {.omit_empty = true});
  f("reason", reason, "why it could not be carried");
  f("dropped", dropped, "the object is left out");
}

void Losses::Put(Loss loss) {
  if (list_.size() > kLossesMax) return;
  if (list_.size() == kLossesMax)
    loss = {"file", {}, "more could not be carried than is listed", true};
  if (std::find(list_.begin(), list_.end(), loss) == list_.end()) list_.push_back(std::move(loss));
}

void Losses::Add(std::string object, std::string member, std::string reason) {
  Put({std::move(object), std::move(member), std::move(reason), false});
}

void Losses::Drop(std::string object, std::string member, std::string reason) {
  Put({std::move(object), std::move(member), std::move(reason), true});
}

void Sort(semantic::Definitions& definitions) {
  SortByName(definitions.entities);
  SortByName(definitions.joins);
  SortByName(definitions.metrics);
}

void DropWhatHangs(semantic::Definitions& definitions, Losses& losses) {
  const Names entities = NamesOf(definitions.entities);
  std::erase_if(definitions.joins, [&](const semantic::Join& join) {
    const std::string* lacking = !entities.contains(join.from) ? &join.from
                                 : !entities.contains(join.to) ? &join.to
                                                               : nullptr;
    if (lacking != nullptr)
      losses.Drop("join " + join.name, {}, "entity " + *lacking + " is not imported");
    return lacking != nullptr;
  });
  for (std::size_t before = 0; before != definitions.metrics.size();) {
    before = definitions.metrics.size();
    const Names metrics = NamesOf(definitions.metrics);
    std::erase_if(definitions.metrics, [&](const semantic::Metric& metric) {
      const std::string lacking = Lacks(metric, entities, metrics);
      if (!lacking.empty())
        losses.Drop("metric " + metric.name, {}, lacking + ", which it uses, is not imported");
      return !lacking.empty();
    });
  }
}

}  // namespace schemaward::interchange
