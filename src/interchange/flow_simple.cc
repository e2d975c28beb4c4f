// Of MetricFlow's metrics: those over a measure.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "interchange/expressions.h"
#include "interchange/flow_reader.h"
#include "json/access.h"

namespace schemaward::interchange {
namespace {

using json::Member;
using json::TextOf;
using json::TextsOf;
using json::Value;
using semantic::Aggregation;
using semantic::Metric;

struct AggregationWord {
  std::string_view word;
  Aggregation aggregation;
};
constexpr std::array<AggregationWord, 10> kAggregations = {
    {{"sum", Aggregation::Sum},
     {"count", Aggregation::Count},
     {"count_distinct", Aggregation::CountDistinct},
     {"average", Aggregation::Avg},
     {"avg", Aggregation::Avg},
     {"min", Aggregation::Min},
     {"max", Aggregation::Max},
     {"median", Aggregation::Median},
     {"percentile", Aggregation::Percentile},
     {"sum_boolean", Aggregation::SumBoolean}}};

/// Grains at or above that of the time dimension; all where it is finer than a day.
std::vector<std::string> GrainsFrom(std::string_view grain) {
  constexpr std::array<std::string_view, 5> kGrains = {"day", "week", "month", "quarter", "year"};
  const auto at = std::find(kGrains.begin(), kGrains.end(), grain);
  std::vector<std::string> grains;
  for (auto each = at; each != kGrains.end(); ++each)
    if (grain == "day" || *each != "week") grains.emplace_back(*each);
  if (grain == "week") grains = {"week"};
  return grains;
}

}  // namespace

Result<Aggregation> MetricsReader::AggregationOf(const Value& measure) {
  const std::string word = LowerAscii(TextOf(measure, "agg"));
  for (const AggregationWord& row : kAggregations)
    if (row.word == word) return row.aggregation;
  return Cannot("aggregation \"" + word + "\" has no counterpart");
}

Status MetricsReader::SetOperand(const std::string& name, const Value& measure, Metric& metric) {
  const std::string expression = TextOf(measure, "expr");
  const bool counts =
      metric.aggregation == Aggregation::Sum || metric.aggregation == Aggregation::Count;
  if (counts && (expression == "1" || expression == "*")) {
    metric.aggregation = Aggregation::Count;
    return Ok();
  }
  metric.column = expression.empty() ? name : PlainColumn(expression).value_or("");
  if (!metric.column.empty()) return Ok();
  WARD_TRY(metric.expression, Normalized(expression));
  return Ok();
}

Status MetricsReader::SetPercentile(const Value& measure, Metric& metric) {
  if (metric.aggregation != Aggregation::Percentile) return Ok();
  const Value& params = Member(measure, "agg_params");
  const Value& fraction = Member(params, "percentile");
  if (!fraction.is_number()) return Cannot("the percentile does not say which");
  if (json::IsTrue(Member(params, "use_discrete_percentile")))
    return Cannot("a discrete percentile is one of the values; definitions have the continuous");
  if (json::IsTrue(Member(params, "use_approximate_percentile")))
    Lost(metric.name, "use_approximate_percentile", "the percentile is exact");
  metric.percentile = fraction.get<double>();
  if (!(*metric.percentile > 0 && *metric.percentile < 1))
    return Cannot("the percentile is not between 0 and 1");
  return Ok();
}

Result<std::string> MetricsReader::ColumnOf(const FlowModel& model, std::string name) {
  if (const std::size_t at = name.rfind("__"); at != std::string::npos) name.erase(0, at + 2);
  if (const FlowLink* link = model.Link(name); link != nullptr && link->column)
    return *link->column;
  if (const FlowDimension* dimension = model.Dimension(name);
      dimension != nullptr && dimension->problem.empty())
    return dimension->Spelling();
  return Cannot(fmt::format("\"{}\" is no column of {}", name, model.name));
}

Status MetricsReader::SetSemiAdditive(const FlowModel& model, const Value& measure,
                                      const FlowDimension* time, Metric& metric) {
  const Value& rule = Member(measure, "non_additive_dimension");
  if (!rule.is_object()) return Ok();
  if (time == nullptr || TextOf(rule, "name") != time->name)
    return Cannot("its non-additive dimension is not its time");
  semantic::SemiAdditive semi;
  semi.take = TextOf(rule, "window_choice") == "max" ? "last" : "first";
  for (const std::string& name : TextsOf(Member(rule, "window_groupings"))) {
    WARD_TRY(std::string column, ColumnOf(model, name));
    semi.by.push_back(std::move(column));
  }
  metric.semi_additive = std::move(semi);
  return Ok();
}

const FlowDimension* MetricsReader::TimeOf(const FlowModel& model, const Value& measure) {
  const std::string own = TextOf(measure, "agg_time_dimension");
  return model.Dimension(own.empty() ? model.default_time : own);
}

Result<Metric> MetricsReader::Simple(const std::string& name, const Value& measure,
                                     const FlowModel& model,
                                     const std::vector<std::string>& filters) {
  if (model.entity.empty()) return Cannot("its semantic model is not imported");
  Metric metric;
  metric.name = name;
  metric.trust = FlowTrust();
  metric.entity = model.entity;
  metric.description = TextOf(measure, "description");
  WARD_TRY(metric.aggregation, AggregationOf(measure));
  WARD_CHECK(SetOperand(TextOf(measure, "name"), measure, metric));
  WARD_CHECK(SetPercentile(measure, metric));
  const FlowDimension* time = TimeOf(model, measure);
  WARD_CHECK(SetSemiAdditive(model, measure, time, metric));
  if (time != nullptr && !time->problem.empty()) {
    if (metric.semi_additive) return Cannot("its time is not imported: " + time->problem);
    Lost(name, "agg_time_dimension", time->problem);
  } else if (time != nullptr) {
    metric.time_dimension = time->Spelling();
    metric.time_grains = GrainsFrom(time->grain);
  }
  for (const std::string& filter : filters) {
    WARD_TRY(std::string translated, Translate(model, time, filter));
    metric.filters.push_back(std::move(translated));
  }
  return metric;
}

Result<std::string> MetricsReader::Translate(const FlowModel& model, const FlowDimension* time,
                                             const std::string& filter) {
  auto translated = TranslateFilter(project_, model, time, filter);
  if (!translated)
    return Cannot(fmt::format("filter \"{}\": {}", filter, ReasonOf(translated.error())));
  return translated;
}

Result<Metric> MetricsReader::ReadSimple(const std::string& name, const Value& node) {
  const Value& own = Member(node, {"type_params", "metric_aggregation_params"});
  const Value& reference = Member(node, {"type_params", "measure"});
  std::vector<std::string> filters = FiltersOf(Member(node, "filter"));
  if (own.is_object()) {
    NoteFill(name, Member(node, "type_params"));
    for (const FlowModel& model : project_.models)
      if (model.name == TextOf(own, "semantic_model"))
        return Simple(name, WithExpr(own, node), model, filters);
    return Cannot("its semantic model is not there");
  }
  const Input input = InputOf(reference);
  filters.insert(filters.end(), input.filters.begin(), input.filters.end());
  if (input.node != nullptr) NoteFill(name, *input.node);
  const auto measure = project_.measures.find(input.name);
  if (measure == project_.measures.end())
    return Cannot("measure \"" + input.name + "\" is not there");
  return Simple(name, *measure->second.node, project_.models[measure->second.model], filters);
}

const Value& MetricsReader::WithExpr(const Value& own, const Value& node) {
  // A part of the project, which outlives this.
  // NOLINTNEXTLINE(bugprone-return-const-ref-from-parameter)
  if (!TextOf(own, "expr").empty()) return own;
  Value& copy = *kept_.emplace_back(std::make_unique<Value>(own));
  copy["expr"] = TextOf(Member(node, {"type_params", "expr"}));
  copy["name"] = TextOf(node, "name");
  return copy;
}

Result<std::string> MetricsReader::SimpleOver(const Input& input, const std::string& user) {
  const auto measure = project_.measures.find(input.name);
  if (measure == project_.measures.end())
    return Cannot("measure \"" + input.name + "\" is not there");
  if (input.node != nullptr) NoteFill(user, *input.node);
  std::string name = input.filters.empty() ? input.name : user + "_" + input.name;
  WARD_TRY(Metric metric, Simple(name, *measure->second.node,
                                 project_.models[measure->second.model], input.filters));
  for (const Metric& other : definitions_.metrics)
    if (SameNumber(other, metric)) return other.name;
  if (names_.contains(name)) name += "_measure";
  if (!semantic::IsDefinitionName(name) || !names_.insert(name).second)
    return Cannot("no metric can be named after measure \"" + input.name + "\"");
  metric.name = name;
  definitions_.metrics.push_back(std::move(metric));
  return name;
}

bool MetricsReader::SameNumber(Metric a, const Metric& b) {
  a.name = b.name;
  a.description = b.description;
  a.synonyms = b.synonyms;
  a.unit = b.unit;
  a.owner = b.owner;
  return a == b;
}

}  // namespace schemaward::interchange
