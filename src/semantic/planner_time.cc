// Of the planner: the column of time of each measure.
#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "semantic/columns.h"
#include "semantic/planner_steps.h"

namespace schemaward::semantic {

bool Planner::NeedsTime(const Measure& measure) const {
  return planned_.plan.time.grain || question_.time_range || measure.leaf->IsWindowed() ||
         measure.metric->definition.semi_additive ||
         measure.leaf->metric->definition.type == MetricType::Conversion;
}

Status Planner::FindTime(Measure& measure) {
  if (!NeedsTime(measure)) return Ok();
  auto time = TimeOf(*measure.builder, *measure.metric, true);
  if (!time) return std::move(time).error();
  measure.time = *std::move(time);
  if (!measure.time) return NoTime(measure);
  if (planned_.plan.time.grain == sql::TimeGrain::Hour &&
      measure.time->kind == sql::TimeKind::Date) {
    Mend([](Question& q) { q.time_grain = "day"; });
    return Error(ErrorKind::GrainMismatch,
                 fmt::format("\"{}\" holds days, which cannot be cut by the hour",
                             measure.time->name))
        .Near({"day", "week", "month"});
  }
  const bool known =
      std::any_of(planned_.times.begin(), planned_.times.end(),
                  [&](const MeasureTime& other) { return other.name == measure.time->name; });
  if (!known) planned_.times.push_back(*measure.time);
  return Ok();
}

Status Planner::NoTime(const Measure& measure) {
  const std::string& name = measure.metric->definition.name;
  if (question_.time_range) {
    Mend([](Question& q) { q.time_range.reset(); });
    return Error(
        ErrorKind::UnknownFilter,
        fmt::format("metric \"{}\" has no column of time that time_range could cut", name));
  }
  const bool needs = measure.leaf->IsWindowed() || measure.metric->definition.semi_additive ||
                     measure.leaf->metric->definition.type == MetricType::Conversion;
  if (needs)
    return Error(ErrorKind::GrainMismatch,
                 fmt::format("metric \"{}\" has no column of time, which it needs", name));
  planned_.plan.time.is_unavailable = true;
  return Ok();
}

Result<std::optional<MeasureTime>> Planner::TimeOf(RowsBuilder& builder, const ModelMetric& metric,
                                                   bool asked) {
  std::string name = metric.definition.time_dimension;
  const bool is_asked = asked && !question_.time_dimension.empty();
  if (is_asked) name = question_.time_dimension;
  if (name.empty()) {
    WARD_TRY(const auto candidates, Candidates(builder));
    if (candidates.empty()) return std::optional<MeasureTime>();
    if (candidates.size() > 1) return AmbiguousTime(metric, candidates);
    name = candidates.front();
  }
  auto time = TimeAt(builder, name);
  if (time) return std::optional<MeasureTime>(*std::move(time));
  const bool is_path = builder.trouble() && !builder.trouble()->joins.empty();
  if (!is_asked || is_path) {
    MendName(time.error(), builder, [](Question& q, const std::string* /*better*/) {
      q.time_grain.clear();
      q.time_range.reset();
      q.compare.reset();
    });
  } else {
    const auto candidates = Candidates(builder);
    Mend([&](Question& q) {
      const auto& near = time.error().recovery().fuzzy_matches;
      q.time_dimension = candidates && !candidates->empty() ? candidates->front()
                         : !near.empty()                    ? near.front()
                                                            : std::string();
      if (metric.definition.time_dimension == q.time_dimension) q.time_dimension.clear();
      if (!metric.definition.time_dimension.empty()) q.time_dimension.clear();
    });
  }
  return std::move(time).error();
}

Error Planner::AmbiguousTime(const ModelMetric& metric,
                             const std::vector<std::string>& candidates) {
  Mend([&](Question& q) { q.time_dimension = candidates.front(); });
  Error error(ErrorKind::AmbiguousTime,
              fmt::format("metric \"{}\" could be cut by {} columns of time",
                          metric.definition.name, candidates.size()));
  error.Detail(fmt::format("They are {}.", fmt::join(candidates, ", ")));
  return error.Near(candidates);
}

Result<MeasureTime> Planner::TimeAt(RowsBuilder& builder, const std::string& name) {
  WARD_TRY(const auto target,
           FindColumnTarget(model_, builder.fact_node(), name, ErrorKind::UnknownGroupBy));
  const auto kind = TimeKindOf(target.type());
  MeasureTime time;
  Path path;
  WARD_TRY(time.column, builder.JoinToOne(target, &path));
  if (!kind && IsNumericType(target.type()) && !IsDeclaredTime(target))
    return Error(ErrorKind::UnknownGroupBy,
                 fmt::format("\"{}\" holds {}, not time", target.name, target.type()));
  time.kind = kind.value_or(sql::TimeKind::Naive);
  time.own_zone = target.entity->definition.time_zone;
  time.name = target.name;
  time.via = path.JoinNames(model_);
  time.is_inherited = !path.legs.empty();
  return time;
}

bool Planner::IsDeclaredTime(const ColumnTarget& target) {
  return target.entity->definition.default_time_dimension == target.own_name();
}

Result<std::vector<std::string>> Planner::Candidates(RowsBuilder& builder) {
  const ModelEntity& fact = *builder.rows().fact;
  std::vector<std::string> own = TimeColumnsOf(fact);
  if (!own.empty()) return own;
  std::set<std::size_t> seen = {builder.fact_node()};
  std::vector<std::size_t> ring = {builder.fact_node()};
  for (std::size_t hop = 0; hop < kHopsMax && !ring.empty(); ++hop) {
    std::vector<std::size_t> next;
    std::vector<std::string> found;
    for (const std::size_t node : ring)
      for (const Leg& leg : model_.LegsFrom(node)) {
        if (!leg.to_one || !seen.insert(leg.to).second) continue;
        next.push_back(leg.to);
        const auto entity = model_.nodes()[leg.to].entity;
        if (!entity) continue;
        for (std::string& name : TimeColumnsOf(model_.entities()[*entity]))
          found.push_back(std::move(name));
      }
    std::sort(found.begin(), found.end());
    if (!found.empty()) return found;
    ring = std::move(next);
  }
  return std::vector<std::string>();
}

}  // namespace schemaward::semantic
