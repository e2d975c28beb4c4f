// Of MetricFlow's metrics: those over other metrics.
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "interchange/expressions.h"
#include "interchange/flow_reader.h"
#include "json/access.h"
#include "sql/read/expression.h"
#include "sql/rewrite.h"

namespace schemaward::interchange {
namespace {

using json::ItemsOf;
using json::Member;
using json::TextOf;
using json::Value;
using semantic::Metric;
using semantic::MetricInput;
using semantic::MetricType;

}  // namespace

const FlowModel* MetricsReader::FactOf(const std::string& name, int depth) {
  constexpr int kDepthMax = 20;
  const auto metric = project_.metrics.find(name);
  if (metric == project_.metrics.end() || depth > kDepthMax) {
    const auto measure = project_.measures.find(name);
    return measure == project_.measures.end() ? nullptr : &project_.models[measure->second.model];
  }
  const Value& params = Member(*metric->second, "type_params");
  if (const std::string model =
          TextOf(Member(params, {"metric_aggregation_params", "semantic_model"}));
      !model.empty())
    for (const FlowModel& one : project_.models)
      if (one.name == model) return &one;
  const Value& measure = Member(params, "measure");
  if (const std::string own = InputOf(measure).name; !own.empty()) {
    const auto found = project_.measures.find(own);
    return found == project_.measures.end() ? nullptr : &project_.models[found->second.model];
  }
  return FactOfInputs(params, depth);
}

const FlowModel* MetricsReader::FactOfInputs(const Value& params, int depth) {
  std::vector<std::string> inputs;
  for (const Value* one : {&Member(params, "numerator"), &Member(params, "denominator"),
                           &Member(params, {"cumulative_type_params", "metric"})})
    if (std::string name = InputOf(*one).name; !name.empty()) inputs.push_back(std::move(name));
  for (const Value* one : ItemsOf(Member(params, "metrics"))) inputs.push_back(InputOf(*one).name);
  const FlowModel* fact = nullptr;
  for (const std::string& input : inputs) {
    const FlowModel* model = FactOf(input, depth + 1);
    if (model == nullptr || (fact != nullptr && model != fact)) return nullptr;
    fact = model;
  }
  return fact;
}

Result<MetricInput> MetricsReader::MetricInputOf(const Value& node,
                                                 std::vector<std::string> filters) {
  const Input input = InputOf(node);
  if (!project_.metrics.contains(input.name) && !names_.contains(input.name))
    return Cannot("metric \"" + input.name + "\" is not there");
  MetricInput result;
  result.metric = input.name;
  result.alias = input.node == nullptr ? "" : TextOf(*input.node, "alias");
  filters.insert(filters.end(), input.filters.begin(), input.filters.end());
  WARD_TRY(result.filters, TranslateAll(input.name, filters));
  if (input.node == nullptr) return result;
  if (const std::string grain = TextOf(*input.node, "offset_to_grain"); !grain.empty())
    return Cannot("offset_to_grain \"" + grain + "\" has no counterpart");
  WARD_TRY(result.offset, CheckedSpan(Member(*input.node, "offset_window"), "offset_window"));
  return result;
}

Result<std::vector<std::string>> MetricsReader::TranslateAll(
    const std::string& metric, const std::vector<std::string>& filters) {
  std::vector<std::string> translated;
  if (filters.empty()) return translated;
  const FlowModel* fact = FactOf(metric);
  if (fact == nullptr)
    return Cannot("a filter on metric \"" + metric + "\", which counts rows of several models");
  for (const std::string& filter : filters) {
    WARD_TRY(std::string one, Translate(*fact, fact->Dimension(fact->default_time), filter));
    translated.push_back(std::move(one));
  }
  return translated;
}

Result<Metric> MetricsReader::ReadRatio(const std::string& name, const Value& node) {
  Metric metric = NewMetric(name, MetricType::Ratio);
  const std::vector<std::string> filters = FiltersOf(Member(node, "filter"));
  const Value& params = Member(node, "type_params");
  WARD_TRY(metric.numerator, MetricInputOf(Member(params, "numerator"), filters));
  WARD_TRY(metric.denominator, MetricInputOf(Member(params, "denominator"), filters));
  metric.numerator->alias.clear();
  metric.denominator->alias.clear();
  return metric;
}

Result<Metric> MetricsReader::ReadDerived(const std::string& name, const Value& node) {
  Metric metric = NewMetric(name, MetricType::Derived);
  const std::vector<std::string> filters = FiltersOf(Member(node, "filter"));
  const Value& params = Member(node, "type_params");
  std::set<std::string> aliases;
  for (const Value* one : ItemsOf(Member(params, "metrics"))) {
    WARD_TRY(MetricInput input, MetricInputOf(*one, filters));
    aliases.insert(input.alias.empty() ? input.metric : input.alias);
    metric.inputs.push_back(std::move(input));
  }
  WARD_TRY(metric.expression, Normalized(TextOf(params, "expr")));
  WARD_TRY(const sql::ExpressionPtr tree, sql::ReadExpression(metric.expression));
  WARD_CHECK(sql::VisitColumns(tree, [&](const sql::ColumnRef& column) -> Status {
    if (column.qualifier.empty() && aliases.contains(column.column)) return Ok();
    return Cannot("\"" + column.column + "\" in expr is none of its metrics");
  }));
  return metric;
}

Result<Metric> MetricsReader::ReadCumulative(const std::string& name, const Value& node) {
  Metric metric = NewMetric(name, MetricType::Cumulative);
  const Value& params = Member(node, "type_params");
  const Value& own = Member(params, "cumulative_type_params");
  const auto either = [&](std::string_view member) -> const Value& {
    const Value& value = Member(own, member);
    return value.is_null() ? Member(params, member) : value;
  };
  WARD_TRY(metric.window, CheckedSpan(either("window"), "window"));
  metric.grain_to_date = TextOf(either("grain_to_date"));
  constexpr std::array<std::string_view, 4> kToDate = {"week", "month", "quarter", "year"};
  if (!metric.grain_to_date.empty() &&
      std::find(kToDate.begin(), kToDate.end(), metric.grain_to_date) == kToDate.end())
    return Cannot("grain_to_date \"" + metric.grain_to_date + "\" has no counterpart");
  if (const std::string take = TextOf(own, "period_agg"); take != "last")
    Lost(name, "period_agg",
         "at a coarser grain a period shows its value at the end, not the " +
             (take.empty() ? std::string("first") : take));
  const std::vector<std::string> filters = FiltersOf(Member(node, "filter"));
  if (const Value& over = Member(own, "metric"); !over.is_null()) {
    WARD_TRY(metric.input, MetricInputOf(over, filters));
    return metric;
  }
  Input measure = InputOf(Member(params, "measure"));
  metric.input.emplace();
  std::vector<std::string> all = filters;
  all.insert(all.end(), measure.filters.begin(), measure.filters.end());
  measure.filters.clear();
  WARD_TRY(metric.input->metric, SimpleOver(measure, name));
  WARD_TRY(metric.input->filters, TranslateAll(measure.name, all));
  return metric;
}

}  // namespace schemaward::interchange
