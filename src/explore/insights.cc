#include "explore/insights.h"

#include <nlohmann/json.hpp>

#include "json/access.h"

namespace schemaward::explore {
namespace {

json::Value OrNull(const std::optional<std::string>& text) {
  return text ? json::Value(*text) : json::Value();
}

std::optional<std::string> TextOrNothing(const json::Value& value) {
  if (!value.is_string()) return std::nullopt;
  return value.get<std::string>();
}

std::vector<std::int64_t> NumbersOf(const json::Value& list) {
  std::vector<std::int64_t> numbers;
  for (const json::Value* item : json::ItemsOf(list))
    if (const auto number = json::IntegerOf(*item)) numbers.push_back(*number);
  return numbers;
}

std::int64_t Number(const json::Value& object, std::string_view name) {
  return json::IntegerOf(json::Member(object, name)).value_or(0);
}

AreaResult AreaOf(const json::Value& object) {
  AreaResult area;
  area.id = json::TextOf(object, "id");
  area.name = json::TextOf(object, "name");
  area.status = json::TextOf(object, "status");
  area.why = json::TextOf(object, "why");
  area.ranker = json::TextOf(object, "ranker");
  area.steps = NumbersOf(json::Member(object, "steps"));
  area.steps_left_out = Number(object, "steps_left_out");
  return area;
}

RunInsight InsightOf(const json::Value& object) {
  RunInsight insight;
  insight.id = json::TextOf(object, "id");
  insight.area = json::TextOf(object, "analysis_area");
  insight.name = json::TextOf(object, "name");
  insight.description = json::TextOf(object, "description");
  insight.severity = json::TextOf(object, "severity");
  insight.claimed_metric = json::TextOf(object, "claimed_metric");
  insight.claimed = TextOrNothing(json::Member(object, "affected_count"));
  insight.source_steps = NumbersOf(json::Member(object, "source_steps"));
  const json::Value& validation = json::Member(object, "validation");
  insight.status = json::TextOf(validation, "status");
  insight.reasons = json::TextsOf(json::Member(validation, "reasons"));
  insight.verified = TextOrNothing(json::Member(validation, "verified"));
  insight.statement = json::TextOf(validation, "statement");
  return insight;
}

Recommendations RecommendationsOf(const json::Value& object) {
  Recommendations out;
  out.status = json::TextOf(object, "status");
  out.why = json::TextOf(object, "why");
  out.dropped = Number(object, "dropped");
  out.insights_left_out = Number(object, "insights_left_out");
  for (const json::Value* item : json::ItemsOf(json::Member(object, "list"))) {
    Recommendation one;
    one.title = json::TextOf(*item, "title");
    one.description = json::TextOf(*item, "description");
    one.priority = Number(*item, "priority");
    one.insights = json::TextsOf(json::Member(*item, "related_insight_ids"));
    one.actions = json::TextsOf(json::Member(*item, "actions"));
    out.list.push_back(std::move(one));
  }
  return out;
}

json::Value ToValue(const Recommendations& recommendations) {
  json::Value list = json::Value::array();
  for (const Recommendation& one : recommendations.list) list.push_back(ToValue(one));
  return {{"status", recommendations.status},
          {"why", recommendations.why},
          {"list", list},
          {"dropped", recommendations.dropped},
          {"insights_left_out", recommendations.insights_left_out}};
}

}  // namespace

json::Value ToValue(const Recommendation& recommendation) {
  return {{"title", recommendation.title},
          {"description", recommendation.description},
          {"priority", recommendation.priority},
          {"related_insight_ids", recommendation.insights},
          {"actions", recommendation.actions}};
}

json::Value ToValue(const RunInsight& insight) {
  json::Value validation;
  if (!insight.status.empty())
    validation = {{"status", insight.status},
                  {"reasons", insight.reasons},
                  {"verified", OrNull(insight.verified)},
                  {"statement", insight.statement}};
  return {{"id", insight.id},
          {"analysis_area", insight.area},
          {"name", insight.name},
          {"description", insight.description},
          {"severity", insight.severity},
          {"claimed_metric", insight.claimed_metric},
          {"affected_count", OrNull(insight.claimed)},
          {"source_steps", insight.source_steps},
          {"validation", validation}};
}

json::Value ToValue(const Analysis& analysis) {
  json::Value areas = json::Value::array();
  for (const AreaResult& area : analysis.areas)
    areas.push_back({{"id", area.id},
                     {"name", area.name},
                     {"status", area.status},
                     {"why", area.why},
                     {"ranker", area.ranker},
                     {"steps", area.steps},
                     {"steps_left_out", area.steps_left_out}});
  json::Value insights = json::Value::array();
  for (const RunInsight& insight : analysis.insights) insights.push_back(ToValue(insight));
  return {{"pack", analysis.pack},
          {"steps_seen", analysis.steps_seen},
          {"areas", areas},
          {"insights", insights},
          {"verification_budget_exhausted", analysis.verification_budget_exhausted},
          {"recommendations", ToValue(analysis.recommendations)}};
}

std::string ToJson(const RunInsight& insight) { return json::Canonical(ToValue(insight)); }
std::string ToJson(const Recommendation& recommendation) {
  return json::Canonical(ToValue(recommendation));
}
std::string ToJson(const Analysis& analysis) { return json::Canonical(ToValue(analysis)); }

Analysis AnalysisOf(const json::Value& value) {
  Analysis analysis;
  analysis.pack = json::TextOf(value, "pack");
  analysis.steps_seen = Number(value, "steps_seen");
  for (const json::Value* area : json::ItemsOf(json::Member(value, "areas")))
    analysis.areas.push_back(AreaOf(*area));
  for (const json::Value* insight : json::ItemsOf(json::Member(value, "insights")))
    analysis.insights.push_back(InsightOf(*insight));
  analysis.verification_budget_exhausted = Number(value, "verification_budget_exhausted");
  analysis.recommendations = RecommendationsOf(json::Member(value, "recommendations"));
  return analysis;
}

}  // namespace schemaward::explore
