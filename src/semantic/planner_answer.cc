// Of the planner: the order and the conditions of the answer.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/ascii.h"
#include "semantic/conditions.h"
#include "semantic/planner_steps.h"
#include "text/nearest.h"

namespace schemaward::semantic {
namespace {

constexpr std::size_t kNear = 3;

/// Column and direction; "revenue desc" and "-revenue" say both in one string.
std::pair<std::string, std::string> OrderOf(const OrderBy& order) {
  std::string column = order.column;
  std::string direction = order.direction;
  if (const std::size_t blank = column.rfind(' ');
      blank != std::string::npos && direction.empty()) {
    direction = column.substr(blank + 1);
    column.resize(blank);
  }
  if (direction.empty() && column.size() > 1 && column.front() == '-') {
    direction = "desc";
    column.erase(0, 1);
  }
  return {column, LowerAscii(direction)};
}

}  // namespace

std::vector<std::string> Planner::AnswerColumns() const {
  std::vector<std::string> names;
  if (HasTimeColumn()) names.emplace_back("time");
  for (const PlanGroup& group : planned_.plan.groups) names.push_back(group.name);
  for (const MetricValue& value : planned_.plan.values) names.push_back(value.name);
  return names;
}

bool Planner::HasTimeColumn() const {
  return planned_.plan.time.grain && !planned_.plan.time.is_unavailable;
}

std::optional<std::size_t> Planner::FindAnswerColumn(const std::string& text) const {
  const auto names = AnswerColumns();
  const auto exact = std::find(names.begin(), names.end(), text);
  if (exact != names.end()) return static_cast<std::size_t>(exact - names.begin());
  const std::size_t first = HasTimeColumn() ? 1 : 0;
  for (const std::string_view word : {"time_bucket", "time_grain", "period", "date"})
    if (first == 1 && text == word) return 0;
  if (first == 1 && GrainOf(text) == planned_.plan.time.grain) return 0;
  for (const MeasureTime& time : planned_.times)
    if (first == 1 && time.name == text) return 0;
  for (std::size_t i = 0; i < question_.group_by.size(); ++i) {
    if (question_.group_by[i] == text) return first + i;
    const std::string& name = planned_.plan.groups[i].name;
    if (name.substr(name.rfind('.') + 1) == text) return first + i;
  }
  if (const ModelMetric* metric = model_.FindMetric(text)) {
    const auto found = std::find(names.begin(), names.end(), metric->definition.name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  }
  return std::nullopt;
}

Status Planner::ReadOrder() {
  planned_.plan.order_by.clear();
  for (std::size_t i = 0; i < question_.order_by.size(); ++i) WARD_CHECK(ReadOrderAt(i));
  return Ok();
}

Status Planner::ReadOrderAt(std::size_t at) {
  const auto [column, direction] = OrderOf(question_.order_by[at]);
  const auto found = FindAnswerColumn(column);
  if (!found) {
    Error error(ErrorKind::UnknownOrderBy,
                fmt::format("the answer has no column \"{}\" to order by", column));
    const auto near = text::FindNearestNames(column, AnswerColumns(), kNear);
    error.Near(near);
    Mend([&, given = direction](Question& q) { q.order_by[at] = {near.front(), given}; });
    return error;
  }
  if (!direction.empty() && direction != "asc" && direction != "desc" && direction != "ascending" &&
      direction != "descending") {
    Mend([&, name = column](Question& q) { q.order_by[at] = {name, "asc"}; });
    return Error(ErrorKind::MalformedName,
                 fmt::format("order_by direction must be asc or desc, not \"{}\"", direction))
        .Near({"asc", "desc"});
  }
  planned_.plan.order_by.push_back({*found, direction.substr(0, 4) == "desc"});
  return Ok();
}

Status Planner::ReadHaving() {
  Plan& plan = planned_.plan;
  plan.having.clear();
  for (std::size_t i = 0; i < question_.having.size(); ++i) {
    const Having& having = question_.having[i];
    const auto value =
        std::find_if(plan.values.begin(), plan.values.end(),
                     [&](const MetricValue& one) { return one.name == having.metric; });
    if (value == plan.values.end()) {
      std::vector<std::string> names;
      for (const MetricValue& one : plan.values) names.push_back(one.name);
      const auto near = text::FindNearestNames(having.metric, names, kNear);
      Mend([&](Question& q) { q.having[i].metric = near.front(); });
      return Error(ErrorKind::UnknownMetric,
                   fmt::format("having names \"{}\", which is not asked for", having.metric))
          .Near(near);
    }
    auto condition = HavingOf(value->expression, having);
    if (!condition) {
      Mend([&](Question& q) { Erase(q.having, i); });
      return std::move(condition).error();
    }
    plan.having.push_back({*std::move(condition)});
  }
  return Ok();
}

}  // namespace schemaward::semantic
