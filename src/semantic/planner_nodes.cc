// Of the planner: the nodes of the plan, rows with what is aggregated from them.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "semantic/columns.h"
#include "semantic/planner_steps.h"

namespace schemaward::semantic {
namespace {

/// What must be equal of a base event and its conversion event.
std::vector<std::pair<std::string, std::string>> PairsOf(const Metric& metric) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const ColumnPair& pair : metric.match) pairs.emplace_back(pair.from, pair.to);
  for (const ConstantProperty& one : metric.constant_properties)
    pairs.emplace_back(one.base, one.conversion);
  return pairs;
}

}  // namespace

Status Planner::Finish(Measure& measure) {
  RowsBuilder& builder = *measure.builder;
  builder.rows().spine = SpineOf(measure);
  const bool has_range = planned_.range.start || planned_.range.end;
  if (!builder.rows().spine && has_range) AddRange(measure, builder);
  if (measure.leaf->metric->definition.type == MetricType::Conversion)
    return FinishConversion(measure);
  MeasureNode node;
  WARD_TRY(auto aggregate, AggregateOf(measure));
  node.aggregates.push_back(std::move(aggregate));
  node.semi_additive = measure.metric->definition.semi_additive;
  if (node.semi_additive) {
    for (const std::string& column : node.semi_additive->by) {
      WARD_TRY(const auto target,
               FindColumnTarget(model_, builder.fact_node(), column, ErrorKind::UnknownMeasure));
      WARD_TRY(auto by, builder.JoinToOne(target));
      node.semi_by.push_back(std::move(by));
    }
  }
  CollectLate(builder);
  node.rows = TakeRows(measure);
  planned_.plan.nodes.emplace_back(std::move(node));
  return Ok();
}

Result<Aggregate> Planner::AggregateOf(const Measure& measure) {
  const Metric& metric = measure.metric->definition;
  RowsBuilder& builder = *measure.builder;
  Aggregate aggregate{metric.aggregation, nullptr, metric.percentile.value_or(0.5),
                      measure.leaf->column};
  if (!metric.column.empty()) {
    WARD_TRY(const auto target, FindColumnTarget(model_, builder.fact_node(), metric.column,
                                                 ErrorKind::UnknownMeasure));
    WARD_TRY(aggregate.operand, builder.JoinToOne(target));
  } else if (!metric.expression.empty()) {
    WARD_TRY(aggregate.operand, builder.Qualify(metric.expression));
  }
  return aggregate;
}

Rows Planner::TakeRows(Measure& measure) {
  Rows rows = measure.builder->Take();
  rows.time = measure.time;
  for (const std::string& join : rows.semi_joins) {
    auto& all = planned_.plan.semi_joins;
    if (std::find(all.begin(), all.end(), join) == all.end()) all.push_back(join);
  }
  return rows;
}

void Planner::CollectLate(const RowsBuilder& builder) {
  std::set<std::string> required(planned_.plan.required_joins.begin(),
                                 planned_.plan.required_joins.end());
  std::set<std::string> fan_out;
  builder.CollectJoins(required, fan_out);
  planned_.plan.required_joins.assign(required.begin(), required.end());
}

Result<const ModelEntity*> Planner::EventsOf(const Measure& measure, const ModelMetric* event) {
  const Metric& metric = measure.leaf->metric->definition;
  const ModelEntity* fact =
      event == nullptr ? nullptr : model_.FindEntity(event->definition.entity);
  if (fact == nullptr || !fact->problems.empty())
    return Error(ErrorKind::UnknownMetric,
                 fmt::format("the conversion event of metric \"{}\" is not defined", metric.name));
  if (measure.builder->rows().repeats())
    return Error(ErrorKind::UnreachableEntity,
                 fmt::format("metric \"{}\" cannot be grouped across a to-many join", metric.name));
  return fact;
}

Status Planner::FinishConversion(Measure& measure) {
  const Metric& metric = measure.leaf->metric->definition;
  const ModelMetric* event = model_.FindMetric(metric.conversion);
  WARD_TRY(const ModelEntity* fact, EventsOf(measure, event));
  ConversionNode node;
  node.column = measure.leaf->column;
  node.base_column = measure.leaf->base_column;
  RowsBuilder conversion(model_, *fact, via_, planned_.clock);
  WARD_CHECK(AddOwnFilters(conversion, *event, {}));
  WARD_TRY(const auto time, TimeOf(conversion, *event, false));
  if (!time)
    return Error(ErrorKind::GrainMismatch,
                 fmt::format("metric \"{}\" has no column of time", event->definition.name));
  for (const auto& [base, other] : PairsOf(metric)) {
    WARD_TRY(auto left, measure.builder->Qualify(base));
    WARD_TRY(auto right, conversion.Qualify(other));
    node.match.emplace_back(std::move(left), std::move(right));
  }
  if (const auto span = ParseSpan(metric.window))
    node.window_micros = time::Add(0, span->count, *time::UnitOf(span->unit));
  CollectLate(*measure.builder);
  node.base = TakeRows(measure);
  node.conversion = conversion.Take();
  node.conversion.time = *time;
  planned_.plan.nodes.emplace_back(std::move(node));
  return Ok();
}

void Planner::MergeNodes() {
  Plan& plan = planned_.plan;
  std::map<std::string, std::size_t> seen;
  std::vector<PlanNode> merged;
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    auto* node = std::get_if<MeasureNode>(&plan.nodes[i]);
    if (node == nullptr) {
      merged.push_back(std::move(plan.nodes[i]));
      continue;
    }
    const std::string key = RowsToText(model_, node->rows, node->semi_additive, plan);
    const auto [found, added] = seen.emplace(key, merged.size());
    if (added) {
      merged.push_back(std::move(plan.nodes[i]));
      continue;
    }
    auto& into = std::get<MeasureNode>(merged[found->second]);
    for (Aggregate& aggregate : node->aggregates) into.aggregates.push_back(std::move(aggregate));
  }
  plan.nodes = std::move(merged);
  AddGapSpine();
}

void Planner::AddGapSpine() {
  Plan& plan = planned_.plan;
  const bool windowed = !plan.spines.empty();
  const bool show_all =
      plan.time.grain && (question_.fill_gaps || (windowed && plan.groups.empty()));
  if (show_all && !periods_.empty()) {
    Spine spine;
    spine.label_kind = plan.time.label_kind;
    spine.bound_kind = sql::TimeKind::Naive;
    for (const Period& period : periods_)
      spine.periods.push_back({period.label, period.from.wall, period.until.wall});
    plan.spines.push_back(std::move(spine));
    plan.gap_spine = plan.spines.size() - 1;
  }
}

}  // namespace schemaward::semantic
