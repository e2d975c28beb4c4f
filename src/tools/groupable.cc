#include "tools/groupable.h"

#include <algorithm>
#include <set>

#include "privacy/policy.h"
#include "semantic/columns.h"
#include "semantic/paths.h"
#include "semantic/planner.h"
#include "tools/models.h"

namespace schemaward::tools {
namespace {

using semantic::Model;
using semantic::ModelEntity;

constexpr std::size_t kPlacesMax = 60;    // entities and roles looked at
constexpr std::size_t kColumnsEach = 10;  // of one entity

/// An entity as columns call it.
struct Place {
  std::string name;
  std::string role;
  std::size_t node = 0;
};

// Entities and roles that one way of joins to one row leads to; the fact first.
std::vector<Place> PlacesFrom(const Model& model, std::size_t fact) {
  std::vector<Place> places = {{model.nodes()[fact].name, "", fact}};
  std::set<std::string> seen = {places.front().name};
  std::set<std::size_t> walked;
  std::vector<std::size_t> open = {fact};
  for (std::size_t at = 0; at < open.size() && open.size() < kPlacesMax; ++at) {
    if (!walked.insert(open[at]).second) continue;
    for (const semantic::Leg& leg : model.LegsFrom(open[at])) {
      if (!leg.to_one) continue;
      open.push_back(leg.to);
      if (!model.nodes()[leg.to].entity) continue;
      const std::string& name = leg.role.empty() ? model.nodes()[leg.to].name : leg.role;
      if (!seen.insert(name).second) continue;
      const auto paths = semantic::FindPaths(
          model, {.from = fact, .to = leg.to, .role = leg.role, .via = {}, .must_use_via = false});
      if (paths.size() == 1 && paths.front().to_one()) places.push_back({name, leg.role, leg.to});
    }
  }
  return places;
}

bool IsKey(const ModelEntity& entity, const catalog::Column& column) {
  const auto holds = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), column.name) != names.end();
  };
  if (holds(entity.definition.identity)) return true;
  return std::any_of(entity.table.foreign_keys.begin(), entity.table.foreign_keys.end(),
                     [&](const catalog::ForeignKey& key) { return holds(key.columns); });
}

// Engines without types of time keep moments in texts.
bool IsCalledTime(std::string_view name) {
  return name.ends_with("_at") || name.ends_with("_on") || name.ends_with("_date");
}

// Columns that group well: no keys, times, amounts or protected values.
std::vector<std::string> ColumnsOf(const privacy::Policy& policy, const ModelEntity& entity,
                                   const std::string& prefix) {
  std::vector<std::string> names;
  for (const semantic::Dimension& dimension : entity.definition.dimensions)
    if (!semantic::TimeKindOf(dimension.type)) names.push_back(dimension.name);
  for (const catalog::Column& column : entity.table.columns) {
    if (names.size() >= kColumnsEach) break;
    if (entity.Column(column.name) == nullptr || IsKey(entity, column)) continue;
    if (semantic::TimeKindOf(column.type) || IsCalledTime(column.name)) continue;
    if (policy.RuleOf(entity.table, column).IsBlocked()) continue;
    if (semantic::IsNumericType(column.type) && column.labels.empty()) continue;
    names.push_back(column.name);
  }
  for (std::string& name : names) name = prefix + "." + catalog::QuoteName(name);
  return names;
}

void AddTimes(const Model& model, const semantic::ModelMetric& metric, std::int64_t now_utc,
              Askable& out) {
  out.example.name = metric.definition.name;
  semantic::PlanOptions options;
  options.now_utc = now_utc;
  options.may_probe = false;
  semantic::Question asked = out.example;
  asked.time_grain = "month";
  for (int turn = 0; turn < 3; ++turn) {
    std::optional<semantic::Question> mended;
    const auto planned = semantic::MakePlan(model, asked, options, mended);
    if (planned) {
      if (planned->plan.time.is_unavailable || planned->times.empty()) return;
      out.example = asked;
      if (out.time_dimensions.empty()) out.default_time_dimension = planned->times.front().name;
      const bool is_date = planned->times.front().kind == sql::TimeKind::Date;
      out.grains = metric.definition.time_grains;
      if (!out.grains.empty()) return;
      out.grains = {"hour", "day", "week", "month", "quarter", "year"};
      if (is_date) out.grains.erase(out.grains.begin());
      return;
    }
    if (planned.error().kind() == ErrorKind::AmbiguousTime)
      out.time_dimensions = planned.error().recovery().fuzzy_matches;
    if (!mended) return;
    asked = *std::move(mended);
  }
}

}  // namespace

Askable AskableOf(const Model& model, const semantic::ModelMetric& metric,
                  const privacy::Policy& policy, std::int64_t now_utc) {
  Askable out;
  out.example.name = metric.definition.name;
  if (!metric.problems.empty()) return out;
  std::optional<std::vector<Place>> shared;
  for (const std::string& fact : FactsOf(model, metric.definition)) {
    const ModelEntity* entity = model.FindEntity(fact);
    if (entity == nullptr) return out;
    std::vector<Place> places = PlacesFrom(model, model.NodeOf(*entity));
    if (shared) {
      std::erase_if(*shared, [&](const Place& one) {
        return std::none_of(places.begin(), places.end(), [&](const Place& other) {
          return other.name == one.name && other.node == one.node;
        });
      });
    } else {
      shared = std::move(places);
    }
  }
  for (const Place& place : shared.value_or(std::vector<Place>())) {
    out.reachable.push_back(place.name);
    const ModelEntity& entity = model.entities()[*model.nodes()[place.node].entity];
    for (std::string& name : ColumnsOf(policy, entity, place.name))
      if (out.groupable.size() < kGroupableMax) out.groupable.push_back(std::move(name));
  }
  AddTimes(model, metric, now_utc, out);
  if (!out.groupable.empty()) {
    semantic::Question grouped = out.example;
    grouped.group_by = {out.groupable.front()};
    semantic::PlanOptions options;
    options.now_utc = now_utc;
    options.may_probe = false;
    std::optional<semantic::Question> mended;
    if (semantic::MakePlan(model, grouped, options, mended)) out.example = std::move(grouped);
  }
  return out;
}

}  // namespace schemaward::tools
