// Of the planner: the words of a question that need no rows.
#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/ascii.h"
#include "semantic/planner_steps.h"
#include "text/nearest.h"

namespace schemaward::semantic {
namespace {

constexpr std::size_t kNear = 3;

}  // namespace

Status Planner::ReadClock() {
  planned_.clock.now_utc = options_.now_utc;
  WARD_CHECK(ReadZone());
  WARD_CHECK(ReadWeekStart());
  return ReadTimeRange();
}

Status Planner::ReadZone() {
  planned_.clock.zone_name = question_.time_zone;
  auto zone = time::Zone::Find(question_.time_zone);
  if (!zone) {
    Error error(ErrorKind::MalformedName,
                fmt::format("no time zone is named \"{}\"", question_.time_zone));
    const auto near = time::NearestZones(question_.time_zone);
    error.Near(near);
    Mend([&](Question& q) { q.time_zone = near.empty() ? "" : near.front(); });
    return error;
  }
  planned_.clock.zone = *zone;
  return Ok();
}

Status Planner::ReadWeekStart() {
  const std::string start = LowerAscii(question_.week_start);
  if (start == "sunday" || start == "sun") {
    planned_.clock.week_start = time::kSunday;
  } else if (!start.empty() && start != "monday" && start != "mon") {
    Mend([](Question& q) { q.week_start = "monday"; });
    return Error(ErrorKind::MalformedName,
                 fmt::format("week_start must be monday or sunday, not \"{}\"", start))
        .Near({"monday", "sunday"});
  }
  return Ok();
}

Status Planner::ReadTimeRange() {
  if (!question_.time_range) return Ok();
  auto range = ReadRange(*question_.time_range, planned_.clock);
  if (!range) {
    const auto& near = range.error().recovery().fuzzy_matches;
    Mend([&](Question& q) {
      if (near.empty())
        q.time_range.reset();
      else
        q.time_range = TimeRange{near.front(), ""};
    });
    return std::move(range).error();
  }
  planned_.range = *range;
  return Ok();
}

std::vector<std::string> Planner::AskedNames() const {
  std::vector<std::string> names;
  if (!question_.name.empty()) names.push_back(question_.name);
  for (const std::string& name : question_.metrics)
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

Status Planner::FindMetrics() {
  const std::vector<std::string> names = AskedNames();
  WARD_CHECK(CheckCount(names));
  WARD_TRY(const auto compare, ReadCompare());
  for (const std::string& name : names) {
    const ModelMetric* metric = model_.FindMetric(name);
    if (metric == nullptr) return UnknownMetric(name);
    WARD_CHECK(AddMetric(model_, *metric, metric->definition.name, {}, tree_));
    if (compare) WARD_CHECK(AddCompared(*metric, *compare));
  }
  planned_.plan.values = tree_.values;
  planned_.plan.metrics = tree_.used;
  return Ok();
}

Status Planner::CheckCount(const std::vector<std::string>& names) {
  if (names.empty()) {
    Error error(ErrorKind::InvalidArgument, "argument \"name\" or \"metrics\" is required");
    if (!model_.metrics().empty())
      Mend([&](Question& q) { q.name = model_.metrics().front().definition.name; });
    return error;
  }
  if (names.size() <= kMetricsMax) return Ok();
  Mend([&](Question& q) {
    q.name.clear();
    q.metrics.assign(names.begin(), names.begin() + kMetricsMax);
  });
  return Error(ErrorKind::InvalidArgument,
               fmt::format("{} metrics are more than the {} allowed", names.size(), kMetricsMax));
}

Status Planner::AddCompared(const ModelMetric& metric, const Offset& compare) {
  const std::string& own = metric.definition.name;
  WARD_CHECK(AddMetric(model_, metric, own + "_previous", {compare}, tree_));
  const MetricValue& now = tree_.values[tree_.values.size() - 2];
  MetricValue change = now;
  change.name = own + "_change";
  change.expression = sql::MakeBinary("-", now.expression, tree_.values.back().expression);
  tree_.values.push_back(std::move(change));
  return Ok();
}

Error Planner::UnknownMetric(const std::string& name) {
  Error error(ErrorKind::UnknownMetric, fmt::format("no metric is named \"{}\"", name));
  const auto near = model_.NearMetrics(name);
  error.Near(near);
  if (near.empty()) return error;
  Mend([&](Question& q) {
    if (q.name == name) q.name = near.front();
    for (std::string& metric : q.metrics)
      if (metric == name) metric = near.front();
  });
  return error;
}

Result<std::optional<Offset>> Planner::ReadCompare() {
  if (!question_.compare) return std::optional<Offset>();
  const auto span = ParseSpan(question_.compare->offset);
  if (!span) {
    Mend([](Question& q) { q.compare->offset = "1 year"; });
    return Error(ErrorKind::MalformedName,
                 fmt::format("compare.offset \"{}\" is not a length of time such as 1 month",
                             question_.compare->offset))
        .Near({"1 year", "1 month", "1 week"});
  }
  const std::string& align = question_.compare->align;
  if (align != "calendar" && align != "week") {
    Mend([](Question& q) { q.compare->align = "calendar"; });
    return Error(ErrorKind::MalformedName,
                 fmt::format("compare.align must be calendar or week, not \"{}\"", align))
        .Near({"calendar", "week"});
  }
  return std::optional<Offset>(
      Offset{*span, align == "week" ? Alignment::Week : Alignment::Calendar});
}

Result<Via> Planner::ReadVia() {
  // Column names in via are brought to their canonical form, so that any spelling binds.
  auto via = Via::Read(model_, question_.via);
  if (via) return via;
  for (std::size_t i = 0; i < question_.via.size(); ++i) {
    if (Via::Read(model_, {question_.via[i]})) continue;
    MendVia(i);
    break;
  }
  return via;
}

void Planner::MendVia(std::size_t at) {
  Mend([&](Question& q) { Erase(q.via, at); });
}

Error Planner::UnusedVia(const std::string& join) {
  Error error(ErrorKind::UnknownViaJoin,
              fmt::format("join \"{}\" is on no path of this question", join));
  error.Near(text::FindNearestNames(join, planned_.plan.required_joins, kNear));
  for (std::size_t i = 0; i < question_.via.size(); ++i) {
    const std::string& text = question_.via[i];
    const std::size_t equal = text.rfind('=');
    const std::string name = equal == std::string::npos ? text : text.substr(equal + 1);
    const ModelJoin* found = model_.FindJoin(name);
    if (found == nullptr || found->definition.name != join) continue;
    MendVia(i);
    break;
  }
  return error;
}

Status Planner::ReadGrain() {
  PlanTime& time = planned_.plan.time;
  time.zone = question_.time_zone;
  time.week_start = planned_.clock.week_start;
  if (question_.time_grain.empty()) return Ok();
  time.grain = GrainOf(question_.time_grain);
  if (time.grain) return CheckAllowed(*time.grain);
  const std::string near(NearestAllowed(question_.time_grain));
  Mend([&](Question& q) { q.time_grain = near; });
  return Error(ErrorKind::InvalidTimeGrain,
               fmt::format("\"{}\" is not a grain of time", question_.time_grain))
      .Detail("The grains are hour, day, week, month, quarter and year.")
      .Near({near});
}

std::string Planner::NearestAllowed(const std::string& word) const {
  const std::vector<std::string> allowed = AllowedGrains();
  if (allowed.empty()) return std::string(NearestGrain(word));
  return text::FindNearestNames(word, allowed, 1).front();
}

std::vector<std::string> Planner::AllowedGrains() const {
  std::vector<std::string> allowed;
  bool first = true;
  for (const ModelMetric* metric : tree_.used) {
    const auto& grains = metric->definition.time_grains;
    if (grains.empty()) continue;
    if (first) {
      allowed = grains;
    } else {
      std::erase_if(allowed, [&](const std::string& grain) {
        return std::find(grains.begin(), grains.end(), grain) == grains.end();
      });
    }
    first = false;
  }
  return allowed;
}

Status Planner::CheckAllowed(sql::TimeGrain grain) {
  const std::string word(WordOf(grain));
  for (const ModelMetric* metric : tree_.used) {
    const auto& grains = metric->definition.time_grains;
    if (grains.empty() || std::find(grains.begin(), grains.end(), word) != grains.end()) continue;
    const auto allowed = AllowedGrains();
    Mend([&](Question& q) { q.time_grain = allowed.empty() ? "" : NearestAllowed(word); });
    Error error(ErrorKind::GrainMismatch,
                fmt::format("metric \"{}\" has no grain of a {}", metric->definition.name, word));
    error.Detail(fmt::format("Its grains: {}.", fmt::join(grains, ", ")));
    return error.Near(allowed.empty() ? grains : allowed);
  }
  return Ok();
}

}  // namespace schemaward::semantic
