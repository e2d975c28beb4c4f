#include "interchange/flow_measures.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "interchange/expressions.h"

namespace schemaward::interchange {
namespace {

using semantic::Aggregation;
using semantic::Metric;
using semantic::MetricInput;
using semantic::MetricType;
using Json = nlohmann::ordered_json;

constexpr int kDepthMax = 20;

Error Cannot(std::string_view reason) { return {ErrorKind::SqlSyntax, reason}; }

std::string_view WordOf(Aggregation aggregation) {
  if (aggregation == Aggregation::Avg) return "average";
  return json::EnumNames<Aggregation>::kNames.at(static_cast<std::size_t>(aggregation));
}

std::string MeasureName(const Metric& metric) { return metric.name + "_measure"; }

void SetFilters(std::vector<std::string> filters, Json& node) {
  if (filters.size() == 1) node["filter"] = std::move(filters.front());
  if (filters.size() > 1) node["filter"] = std::move(filters);
}

/// Writes one metric.
class Writer {
 public:
  Writer(const semantic::Definitions& definitions, const FlowNames& names, WhyNotWritten& known)
      : definitions_(definitions), names_(names), known_(known) {}

  Result<WrittenMetric> Write(const Metric& metric, int depth) {
    if (!IsFlowName(metric.name)) return Cannot("MetricFlow has no such name");
    if (depth > kDepthMax) return Cannot("metrics are nested too deeply");
    Json node = {{"name", metric.name},
                 {"label", metric.synonyms.empty() ? metric.name : metric.synonyms.front()}};
    if (!metric.description.empty()) node["description"] = metric.description;
    WARD_CHECK(AddBody(metric, depth, node));
    WrittenMetric written;
    written.metric = node.dump();
    if (metric.type == MetricType::Simple) written.measure = measure_.dump();
    if (written.metric.find("', 'second')") != std::string::npos)
      written.lost.emplace_back("MetricFlow cuts time to the second before it compares");
    return written;
  }

  const Metric* Find(const std::string& name) const {
    for (const Metric& metric : definitions_.metrics)
      if (metric.name == name) return &metric;
    return nullptr;
  }

 private:
  /// Errors: as Write.
  Status CheckWritten(const Metric& metric, int depth) const {
    auto found = known_.find(metric.name);
    if (found == known_.end()) {
      const auto written = Writer(definitions_, names_, known_).Write(metric, depth);
      found = known_
                  .insert_or_assign(metric.name, written ? std::nullopt
                                                         : std::optional(ReasonOf(written.error())))
                  .first;
    }
    return found->second ? Status(Cannot(*found->second)) : Ok();
  }

  Status AddBody(const Metric& metric, int depth, Json& node) {
    switch (metric.type) {
      case MetricType::Simple:
        return AddSimple(metric, node);
      case MetricType::Ratio:
        return AddRatio(metric, depth, node);
      case MetricType::Derived:
        return AddDerived(metric, depth, node);
      case MetricType::Cumulative:
        return AddCumulative(metric, node);
      case MetricType::Conversion:
        return AddConversion(metric, node);
      case MetricType::PeriodOverPeriod:
        break;
    }
    return AddPeriods(metric, depth, node);
  }

  /// The dimension of time that the rows of a simple metric are counted by.
  Result<const FlowColumn*> TimeOf(const Metric& metric, const FlowOut& model) const {
    const FlowColumn* time = metric.time_dimension.empty()
                                 ? model.Time()
                                 : names_.OwnColumn(metric.entity, metric.time_dimension);
    if (time == nullptr || !time->IsTime())
      return Cannot("a measure of MetricFlow has one time, a dimension of its own model");
    return time;
  }

  Result<std::string> OperandOf(const Metric& metric) const {
    if (!metric.column.empty()) return names_.Own(metric.entity, Spelled(metric.column));
    if (metric.expression.empty()) return std::string("1");
    return names_.Own(metric.entity, metric.expression);
  }

  Status AddSimple(const Metric& metric, Json& node) {
    const FlowOut* model = names_.Find(metric.entity);
    if (model == nullptr) return Cannot("its entity is not written");
    if (metric.aggregation == Aggregation::None) return Cannot("it has no aggregation");
    WARD_TRY(const FlowColumn* time, TimeOf(metric, *model));
    measure_ = {{"name", MeasureName(metric)}, {"agg", WordOf(metric.aggregation)}};
    WARD_TRY(measure_["expr"], OperandOf(metric));
    if (time != model->Time()) measure_["agg_time_dimension"] = time->name;
    if (metric.percentile)
      measure_["agg_params"] = {{"percentile", *metric.percentile},
                                {"use_discrete_percentile", false}};
    if (metric.semi_additive) WARD_CHECK(AddWindow(metric, *model, *time));
    node["type"] = "simple";
    node["type_params"]["measure"] = MeasureName(metric);
    WARD_TRY(std::vector<std::string> filters, FiltersOf(metric.entity, metric.filters));
    SetFilters(std::move(filters), node);
    return Ok();
  }

  Status AddWindow(const Metric& metric, const FlowOut& model, const FlowColumn& time) {
    Json window = {{"name", time.name},
                   {"window_choice", metric.semi_additive->take == "first" ? "min" : "max"}};
    for (const std::string& column : metric.semi_additive->by) {
      const auto key = std::find_if(model.keys.begin(), model.keys.end(),
                                    [&](const FlowKey& one) { return one.column == column; });
      if (key == model.keys.end())
        return Cannot("MetricFlow takes the last of each link only, and a column of it is none");
      window["window_groupings"].push_back(key->name);
    }
    measure_["non_additive_dimension"] = std::move(window);
    return Ok();
  }

  Result<std::vector<std::string>> FiltersOf(const std::string& entity,
                                             const std::vector<std::string>& filters) const {
    std::vector<std::string> written;
    for (const std::string& filter : filters) {
      WARD_TRY(std::string one, names_.Filter(entity, filter));
      written.push_back(std::move(one));
    }
    return written;
  }

  /// Entities whose rows the leaves of a metric count.
  void Leaves(const Metric& metric, int depth, std::vector<std::string>& entities) const {
    if (depth > kDepthMax) return;
    if (metric.type == MetricType::Simple) {
      if (std::find(entities.begin(), entities.end(), metric.entity) == entities.end())
        entities.push_back(metric.entity);
      return;
    }
    std::vector<std::string> names;
    for (const auto* input : {&metric.numerator, &metric.denominator, &metric.input})
      if (*input) names.push_back((*input)->metric);
    for (const MetricInput& input : metric.inputs) names.push_back(input.metric);
    for (const std::string* side : {&metric.base, &metric.conversion})
      if (!side->empty()) names.push_back(*side);
    for (const std::string& name : names)
      if (const Metric* leaf = Find(name); leaf != nullptr) Leaves(*leaf, depth + 1, entities);
  }

  Result<Json> InputOf(const MetricInput& input, int depth) const {
    const Metric* metric = Find(input.metric);
    if (metric == nullptr) return Cannot("metric " + input.metric + " is not there");
    WARD_CHECK(CheckWritten(*metric, depth + 1));
    Json node = {{"name", input.metric}};
    if (!input.alias.empty()) node["alias"] = input.alias;
    if (!input.filters.empty()) {
      std::vector<std::string> entities;
      Leaves(*metric, 0, entities);
      if (entities.size() != 1) return Cannot("a filter on rows of several entities");
      WARD_TRY(std::vector<std::string> filters, FiltersOf(entities.front(), input.filters));
      SetFilters(std::move(filters), node);
    }
    if (!input.offset.empty()) WARD_CHECK(SetOffset(input.offset, input.align, node));
    return node;
  }

  static Status SetOffset(const std::string& offset, semantic::Alignment align, Json& node) {
    const auto span = semantic::ParseSpan(offset);
    if (!span) return Cannot("its offset is no length of time");
    if (align == semantic::Alignment::Week && span->unit != "week" && span->unit != "day")
      return Cannot("MetricFlow moves time by the calendar, not by whole weeks");
    node["offset_window"] = fmt::format("{} {}", span->count, span->unit);
    return Ok();
  }

  Status AddRatio(const Metric& metric, int depth, Json& node) {
    node["type"] = "ratio";
    WARD_TRY(node["type_params"]["numerator"], InputOf(*metric.numerator, depth));
    WARD_TRY(node["type_params"]["denominator"], InputOf(*metric.denominator, depth));
    return Ok();
  }

  Status AddDerived(const Metric& metric, int depth, Json& node) {
    node["type"] = "derived";
    WARD_TRY(node["type_params"]["expr"],
             PlainSql(metric.expression, [](const sql::ColumnRef& column) -> Result<std::string> {
               return column.column;
             }));
    for (const MetricInput& input : metric.inputs) {
      WARD_TRY(Json one, InputOf(input, depth));
      node["type_params"]["metrics"].push_back(std::move(one));
    }
    return Ok();
  }

  /// A period over another one is a derived metric there.
  Status AddPeriods(const Metric& metric, int depth, Json& node) {
    MetricInput before = *metric.input;
    const std::string now = before.alias.empty() ? before.metric : before.alias;
    if (!before.offset.empty()) return Cannot("its input is moved in time already");
    before.alias = now + "_before";
    before.offset = metric.offset;
    before.align = metric.align;
    node["type"] = "derived";
    const std::string& kind = metric.calculation;
    node["type_params"]["expr"] =
        kind == "previous"     ? before.alias
        : kind == "difference" ? fmt::format("{} - {}", now, before.alias)
        : kind == "ratio"
            ? fmt::format("1.0 * {} / nullif({}, 0)", now, before.alias)
            : fmt::format("1.0 * ({} - {}) / nullif({}, 0)", now, before.alias, before.alias);
    WARD_TRY(Json current, InputOf(*metric.input, depth));
    WARD_TRY(Json earlier, InputOf(before, depth));
    if (kind != "previous") node["type_params"]["metrics"].push_back(std::move(current));
    node["type_params"]["metrics"].push_back(std::move(earlier));
    return Ok();
  }

  /// A simple metric in the place of a measure: the measure, with all filters.
  Result<Json> MeasureInput(const std::string& name, const std::vector<std::string>& more) const {
    const Metric* metric = Find(name);
    if (metric == nullptr || metric->type != MetricType::Simple)
      return Cannot("windows and conversions of MetricFlow are over measures, not over metrics");
    WARD_CHECK(CheckWritten(*metric, 0));
    Json node = {{"name", MeasureName(*metric)}};
    std::vector<std::string> all = metric->filters;
    all.insert(all.end(), more.begin(), more.end());
    WARD_TRY(std::vector<std::string> filters, FiltersOf(metric->entity, all));
    SetFilters(std::move(filters), node);
    return node;
  }

  Status AddCumulative(const Metric& metric, Json& node) {
    node["type"] = "cumulative";
    if (!metric.input->offset.empty()) return Cannot("its input is moved in time");
    WARD_TRY(node["type_params"]["measure"],
             MeasureInput(metric.input->metric, metric.input->filters));
    Json params = {{"period_agg", "last"}};
    if (!metric.window.empty()) params["window"] = metric.window;
    if (!metric.grain_to_date.empty()) params["grain_to_date"] = metric.grain_to_date;
    node["type_params"]["cumulative_type_params"] = std::move(params);
    return Ok();
  }

  /// The link by which the two events of a conversion belong to one another.
  std::optional<std::string> LinkOf(const Metric& metric, const FlowOut& base,
                                    const FlowOut& conversion) const {
    if (metric.match.size() != 1) return std::nullopt;
    for (const FlowKey& key : base.keys) {
      const FlowKey* other = conversion.Key(key.name);
      if (key.column == metric.match.front().from && other != nullptr &&
          other->column == metric.match.front().to)
        return key.name;
    }
    return std::nullopt;
  }

  Status AddConversion(const Metric& metric, Json& node) {
    WARD_TRY(Json base, MeasureInput(metric.base, {}));
    WARD_TRY(Json conversion, MeasureInput(metric.conversion, {}));
    const FlowOut* from = names_.Find(Find(metric.base)->entity);
    const FlowOut* to = names_.Find(Find(metric.conversion)->entity);
    const auto link = LinkOf(metric, *from, *to);
    if (!link) return Cannot("its two events share no link of MetricFlow");
    Json params = {
        {"entity", *link},
        {"calculation", metric.calculation == "count" ? "conversions" : "conversion_rate"},
        {"base_measure", std::move(base)},
        {"conversion_measure", std::move(conversion)}};
    if (!metric.window.empty()) params["window"] = metric.window;
    for (const semantic::ConstantProperty& same : metric.constant_properties) {
      const FlowColumn *one = from->Column(same.base), *other = to->Column(same.conversion);
      if (one == nullptr || other == nullptr)
        return Cannot("a property that must be the same is no dimension that is written");
      params["constant_properties"].push_back(
          {{"base_property", one->name}, {"conversion_property", other->name}});
    }
    node["type"] = "conversion";
    node["type_params"]["conversion_type_params"] = std::move(params);
    return Ok();
  }

  const semantic::Definitions& definitions_;
  const FlowNames& names_;
  WhyNotWritten& known_;
  Json measure_;
};

}  // namespace

Result<WrittenMetric> FlowMetrics::Write(const Metric& metric) {
  return Writer(definitions_, names_, known_).Write(metric, 0);
}

std::string FlowMetrics::ModelOf(const Metric& metric) {
  const Metric* at = &metric;
  const Writer writer(definitions_, names_, known_);
  for (int depth = 0; depth <= kDepthMax && at != nullptr; ++depth) {
    if (at->type == MetricType::Simple) return at->entity;
    std::string next = at->base;
    if (at->numerator) next = at->numerator->metric;
    if (at->input) next = at->input->metric;
    if (!at->inputs.empty()) next = at->inputs.front().metric;
    at = writer.Find(next);
  }
  return {};
}

}  // namespace schemaward::interchange
