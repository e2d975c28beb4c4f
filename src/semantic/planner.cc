#include "semantic/planner.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "semantic/columns.h"
#include "semantic/planner_steps.h"

namespace schemaward::semantic {

Result<Planned> Planner::Run() {
  WARD_CHECK(ReadClock());
  WARD_CHECK(FindMetrics());
  WARD_TRY(via_, ReadVia());
  WARD_CHECK(ReadGrain());
  WARD_CHECK(Build());
  if (!via_.Unused().empty()) {
    // A join that lies on no shortest path may be meant for a longer one.
    via_.InsistOnUnused();
    WARD_CHECK(Build());
    if (const auto unused = via_.Unused(); !unused.empty()) return UnusedVia(unused.front());
  }
  WARD_CHECK(ReadOrder());
  WARD_CHECK(ReadHaving());
  Plan& plan = planned_.plan;
  plan.limit = question_.limit.value_or(kRowsDefault);
  WARD_CHECK(CutTime());
  if (planned_.probe) return std::move(planned_);
  for (Measure& measure : measures_) WARD_CHECK(Finish(measure));
  MergeNodes();
  return std::move(planned_);
}

Status Planner::Build() {
  measures_.clear();
  planned_.plan.groups.clear();
  planned_.times.clear();
  for (const MetricLeaf& leaf : tree_.leaves) {
    Measure measure;
    measure.leaf = &leaf;
    measure.metric = leaf.metric;
    if (leaf.metric->definition.type == MetricType::Conversion)
      measure.metric = model_.FindMetric(leaf.metric->definition.base);
    if (measure.metric == nullptr)
      return Error(ErrorKind::UnknownMetric,
                   fmt::format("no metric is named \"{}\"", leaf.metric->definition.base));
    const ModelEntity* fact = model_.FindEntity(measure.metric->definition.entity);
    if (fact == nullptr || !fact->problems.empty()) return BrokenFact(*measure.metric, fact);
    measure.builder = std::make_unique<RowsBuilder>(model_, *fact, via_, planned_.clock);
    WARD_CHECK(AddGroups(measure));
    WARD_CHECK(AddFilters(measure));
    WARD_CHECK(FindTime(measure));
    measures_.push_back(std::move(measure));
  }
  CollectJoins();
  return Ok();
}

Error Planner::BrokenFact(const ModelMetric& metric, const ModelEntity* fact) {
  if (fact == nullptr)
    return {ErrorKind::SchemaDrift, fmt::format("entity \"{}\" of metric \"{}\" is not defined",
                                                metric.definition.entity, metric.definition.name)};
  const Problem& problem = fact->problems.front();
  Error error(ErrorKind::SchemaDrift,
              fmt::format("entity \"{}\": {}", fact->definition.name, problem.message));
  return error.Near(problem.near);
}

Status Planner::AddGroups(Measure& measure) {
  const bool first = planned_.plan.groups.size() < question_.group_by.size();
  std::vector<PlanGroup> groups;
  for (std::size_t i = 0; i < question_.group_by.size(); ++i) {
    const std::string& text = question_.group_by[i];
    auto added = [&]() -> Status {
      WARD_TRY(const auto target, FindColumnTarget(model_, measure.builder->fact_node(), text,
                                                   ErrorKind::UnknownGroupBy));
      groups.push_back({target.name, target.type()});
      return measure.builder->AddKey(target);
    }();
    if (added) continue;
    MendName(added.error(), *measure.builder, [&](Question& q, const std::string* better) {
      if (better != nullptr)
        q.group_by[i] = *better;
      else
        Erase(q.group_by, i);
    });
    return added;
  }
  if (first) planned_.plan.groups = std::move(groups);
  return Ok();
}

Status Planner::AddFilters(Measure& measure) {
  for (std::size_t i = 0; i < question_.filters.size(); ++i) {
    std::vector<RowsBuilder::TargetLeaf> leaves;
    const std::vector<FilterLeaf> asked = question_.filters[i].Leaves();
    std::size_t at = 0;
    auto added = [&]() -> Status {
      for (; at < asked.size(); ++at) {
        if (asked[at].column.empty())
          return Error(ErrorKind::MalformedName, "a filter has no column");
        WARD_TRY(auto target, FindColumnTarget(model_, measure.builder->fact_node(),
                                               asked[at].column, ErrorKind::UnknownFilter));
        leaves.emplace_back(std::move(target), asked[at]);
      }
      at = asked.size();
      return measure.builder->AddFilter(leaves);
    }();
    if (added) continue;
    MendFilter(added.error(), measure, i, at, asked);
    return added;
  }
  return AddOwnFilters(*measure.builder, *measure.metric, measure.leaf->filters);
}

Status Planner::AddOwnFilters(RowsBuilder& builder, const ModelMetric& metric,
                              const std::vector<std::string>& more) {
  for (const auto* list : {&metric.definition.filters, &more})
    for (const std::string& filter : *list)
      if (auto added = builder.AddFilter(filter); !added)
        return added.error().In(fmt::format("filter of metric {}", metric.definition.name));
  return Ok();
}

void Planner::CollectJoins() {
  std::set<std::string> required, fan_out;
  Plan& plan = planned_.plan;
  plan.is_inflated_by_fan_out = false;
  for (const Measure& measure : measures_) {
    measure.builder->CollectJoins(required, fan_out);
    const Aggregation what = measure.metric->definition.aggregation;
    const bool adds =
        what != Aggregation::Min && what != Aggregation::Max && what != Aggregation::CountDistinct;
    if (measure.builder->rows().repeats() && adds) plan.is_inflated_by_fan_out = true;
  }
  plan.required_joins.assign(required.begin(), required.end());
  plan.fan_out_joins.assign(fan_out.begin(), fan_out.end());
}

void Planner::Mend(const std::function<void(Question&)>& change) {
  Question next = question_;
  change(next);
  mended_ = std::move(next);
}

void Planner::MendFilter(const Error& error, const Measure& measure, std::size_t filter,
                         std::size_t leaf, const std::vector<FilterLeaf>& asked) {
  MendName(error, *measure.builder, [&](Question& q, const std::string* better) {
    Filter& changed = q.filters[filter];
    const bool is_op = error.message().find("is not an op") != std::string::npos;
    if (better == nullptr || leaf >= asked.size()) {
      if (better != nullptr && is_op && changed.any_of.empty())
        changed.op = *better;
      else
        Erase(q.filters, filter);
    } else if (changed.any_of.empty()) {
      changed.column = *better;
    } else {
      changed.any_of[leaf].column = *better;
    }
  });
}

void Planner::MendName(const Error& error, const RowsBuilder& builder,
                       const std::function<void(Question&, const std::string*)>& change) {
  Question next = question_;
  const auto& trouble = builder.trouble();
  if (trouble && !trouble->joins.empty()) {
    for (const std::string& join : trouble->joins) next.via.push_back(trouble->column + "=" + join);
  } else {
    const auto& near = error.recovery().fuzzy_matches;
    change(next, trouble || near.empty() ? nullptr : &near.front());
  }
  mended_ = std::move(next);
}

Result<Planned> MakePlan(const Model& model, const Question& question, const PlanOptions& options,
                         std::optional<Question>& mended) {
  return Planner(model, question, options, mended).Run();
}

}  // namespace schemaward::semantic
