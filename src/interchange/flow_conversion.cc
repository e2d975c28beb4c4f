// Of MetricFlow's metrics: conversions.
#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "interchange/flow_reader.h"
#include "json/access.h"

namespace schemaward::interchange {
namespace {

using json::ItemsOf;
using json::Member;
using json::TextOf;
using json::Value;
using semantic::Aggregation;
using semantic::Metric;
using semantic::MetricType;

}  // namespace

Status MetricsReader::CheckCounts(const FlowModel& model, const Value& measure,
                                  const std::string& name) {
  WARD_TRY(const Aggregation aggregation, AggregationOf(measure));
  const std::string expression = TextOf(measure, "expr");
  const bool rows =
      (aggregation == Aggregation::Count || aggregation == Aggregation::Sum) && expression == "1";
  const bool keys =
      aggregation == Aggregation::CountDistinct &&
      std::any_of(model.links.begin(), model.links.end(), [&](const FlowLink& link) {
        return link.kind == LinkKind::Primary && link.column && *link.column == expression;
      });
  if (rows || keys) return Ok();
  return Cannot("measure \"" + name + "\" of a conversion does not count its rows");
}

Result<std::string> MetricsReader::SideOf(const Value& params, std::string_view side,
                                          const std::string& user, const FlowModel*& model) {
  const Value& over = Member(params, std::string(side) + "_metric");
  if (!over.is_null()) {
    const Input input = InputOf(over);
    model = FactOf(input.name);
    const auto metric = project_.metrics.find(input.name);
    if (model == nullptr || metric == project_.metrics.end() || !input.filters.empty())
      return Cannot("its " + std::string(side) + " metric is not there, or is filtered again");
    const Value& own = Member(*metric->second, {"type_params", "metric_aggregation_params"});
    if (own.is_object()) {
      WARD_CHECK(CheckCounts(*model, WithExpr(own, *metric->second), input.name));
      return input.name;
    }
    const auto measure =
        project_.measures.find(InputOf(Member(*metric->second, {"type_params", "measure"})).name);
    if (measure == project_.measures.end())
      return Cannot("its " + std::string(side) + " metric is not simple");
    WARD_CHECK(CheckCounts(*model, *measure->second.node, input.name));
    return input.name;
  }
  const Input input = InputOf(Member(params, std::string(side) + "_measure"));
  const auto measure = project_.measures.find(input.name);
  if (measure == project_.measures.end())
    return Cannot("measure \"" + input.name + "\" is not there");
  model = &project_.models[measure->second.model];
  WARD_CHECK(CheckCounts(*model, *measure->second.node, input.name));
  return SimpleOver(input, user);
}

Result<Metric> MetricsReader::ReadConversion(const std::string& name, const Value& node) {
  Metric metric = NewMetric(name, MetricType::Conversion);
  const Value& params = Member(node, {"type_params", "conversion_type_params"});
  if (!FiltersOf(Member(node, "filter")).empty())
    return Cannot("a filter on the conversion as a whole has no counterpart; filter its measures");
  const FlowModel *base = nullptr, *conversion = nullptr;
  WARD_TRY(metric.base, SideOf(params, "base", name, base));
  WARD_TRY(metric.conversion, SideOf(params, "conversion", name, conversion));
  const std::string entity = TextOf(params, "entity");
  WARD_TRY(std::string from, ColumnOf(*base, entity));
  WARD_TRY(std::string to, ColumnOf(*conversion, entity));
  metric.match = {{std::move(from), std::move(to)}};
  WARD_TRY(metric.window, CheckedSpan(Member(params, "window"), "window"));
  metric.calculation = TextOf(params, "calculation") == "conversions" ? "count" : "rate";
  for (const Value* property : ItemsOf(Member(params, "constant_properties"))) {
    semantic::ConstantProperty same;
    WARD_TRY(same.base, ColumnOf(*base, TextOf(*property, "base_property")));
    WARD_TRY(same.conversion, ColumnOf(*conversion, TextOf(*property, "conversion_property")));
    metric.constant_properties.push_back(std::move(same));
  }
  return metric;
}

}  // namespace schemaward::interchange
