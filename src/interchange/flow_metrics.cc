// Metrics of MetricFlow as metrics of definitions.
#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "interchange/carried.h"
#include "interchange/expressions.h"
#include "interchange/flow_project.h"
#include "json/access.h"
#include "sql/read/expression.h"
#include "sql/rewrite.h"

namespace schemaward::interchange {
namespace {

using json::ItemsOf;
using json::Member;
using json::TextOf;
using json::TextsOf;
using json::Value;
using semantic::Aggregation;
using semantic::Metric;
using semantic::MetricInput;
using semantic::MetricType;

Error Cannot(std::string_view reason) { return {ErrorKind::SqlSyntax, reason}; }

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

/// "7 days" of a text or of {count, granularity}.
std::string SpanOf(const Value& window) {
  if (window.is_string()) return TextOf(window);
  const std::string count = TextOf(window, "count"), grain = TextOf(window, "granularity");
  return count.empty() ? std::string() : count + " " + grain;
}

Result<std::string> CheckedSpan(const Value& window, std::string_view member) {
  std::string span = LowerAscii(SpanOf(window));
  if (!span.empty() && !semantic::ParseSpan(span))
    return Cannot(
        fmt::format("{} \"{}\" is no length of time that definitions have", member, span));
  return span;
}

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

class MetricsReader {
 public:
  MetricsReader(const FlowProject& project, semantic::Definitions& definitions, Losses& losses)
      : project_(project), definitions_(definitions), losses_(losses) {}

  void Read() {
    for (const auto& [name, node] : project_.metrics) names_.insert(name);
    for (const auto& [name, measure] : project_.measures)
      if (json::IsTrue(Member(*measure.node, "create_metric"))) names_.insert(name);
    for (const auto& [name, measure] : project_.measures)
      if (json::IsTrue(Member(*measure.node, "create_metric")) && !project_.metrics.contains(name))
        Put(name, Simple(name, *measure.node, project_.models[measure.model], {}));
    for (const auto& [name, node] : project_.metrics) Put(name, ReadMetric(name, *node));
  }

 private:
  /// A reference to a measure or metric with what stands beside its name.
  struct Input {
    std::string name;
    const Value* node = nullptr;  ///< null for a name alone
    std::vector<std::string> filters;
  };

  void Put(const std::string& name, Result<Metric> metric) {
    if (!metric)
      losses_.Drop("metric " + name, {}, ReasonOf(metric.error()));
    else
      definitions_.metrics.push_back(std::move(*metric));
  }

  void Lost(const std::string& metric, std::string_view member, std::string_view reason) {
    losses_.Add("metric " + metric, std::string(member), std::string(reason));
  }

  /// What an export of ours made the metric of, where nobody changed it or its measure.
  std::optional<Metric> NotedMetric(const Value& node) const {
    const auto measure =
        project_.measures.find(InputOf(Member(node, {"type_params", "measure"})).name);
    const bool is_simple = TextOf(node, "type") == "simple" && measure != project_.measures.end();
    const Value both = {{"metric", NotedPart(node, {})},
                        {"measure", is_simple ? *measure->second.node : Value()}};
    return Noted<Metric>(Member(node, {"config", "meta", kNote}), both);
  }

  Result<Metric> ReadMetric(const std::string& name, const Value& node) {
    if (auto noted = NotedMetric(node)) return *std::move(noted);
    const std::string type = LowerAscii(TextOf(node, "type"));
    auto metric = type == "simple"       ? ReadSimple(name, node)
                  : type == "ratio"      ? ReadRatio(name, node)
                  : type == "derived"    ? ReadDerived(name, node)
                  : type == "cumulative" ? ReadCumulative(name, node)
                  : type == "conversion"
                      ? ReadConversion(name, node)
                      : Cannot("metric type \"" + type + "\" has no counterpart");
    if (!metric) return metric;
    Describe(node, *metric);
    TakeWordless(Member(node, {"config", "meta", kNote}), *metric);
    return metric;
  }

  static void Describe(const Value& node, Metric& metric) {
    metric.description = TextOf(node, "description");
    if (const std::string label = TextOf(node, "label"); !label.empty() && label != metric.name)
      metric.synonyms.push_back(label);
    for (const Value* meta : {&Member(node, "meta"), &Member(node, {"config", "meta"})}) {
      if (metric.unit.empty()) metric.unit = TextOf(*meta, "unit");
      if (metric.owner.empty()) metric.owner = TextOf(*meta, "owner");
    }
  }

  static Input InputOf(const Value& node) {
    if (node.is_string()) return {TextOf(node), nullptr, {}};
    return {TextOf(node, "name"), &node, FiltersOf(Member(node, "filter"))};
  }

  /// What an input says of periods without rows: not carried, since answers have no such rows
  /// unless gaps are asked for.
  void NoteFill(const std::string& metric, const Value& node) {
    if (!Member(node, "fill_nulls_with").is_null())
      Lost(metric, "fill_nulls_with", "periods without rows stay null, or absent");
    if (json::IsTrue(Member(node, "join_to_timespine")))
      Lost(metric, "join_to_timespine", "periods without rows are filled where a question asks so");
  }

  // Simple.

  static Result<Aggregation> AggregationOf(const Value& measure) {
    const std::string word = LowerAscii(TextOf(measure, "agg"));
    for (const AggregationWord& row : kAggregations)
      if (row.word == word) return row.aggregation;
    return Cannot("aggregation \"" + word + "\" has no counterpart");
  }

  static Status SetOperand(const std::string& name, const Value& measure, Metric& metric) {
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

  Status SetPercentile(const Value& measure, Metric& metric) {
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

  /// The column that a window grouping or the key of a conversion names.
  static Result<std::string> ColumnOf(const FlowModel& model, std::string name) {
    if (const std::size_t at = name.rfind("__"); at != std::string::npos) name.erase(0, at + 2);
    if (const FlowLink* link = model.Link(name); link != nullptr && link->column)
      return *link->column;
    if (const FlowDimension* dimension = model.Dimension(name);
        dimension != nullptr && dimension->problem.empty())
      return dimension->Spelling();
    return Cannot(fmt::format("\"{}\" is no column of {}", name, model.name));
  }

  static Status SetSemiAdditive(const FlowModel& model, const Value& measure,
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

  const FlowDimension* TimeOf(const FlowModel& model, const Value& measure) {
    const std::string own = TextOf(measure, "agg_time_dimension");
    return model.Dimension(own.empty() ? model.default_time : own);
  }

  /// A metric over a measure, or over what a simple metric of newer manifests says itself.
  Result<Metric> Simple(const std::string& name, const Value& measure, const FlowModel& model,
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

  Result<std::string> Translate(const FlowModel& model, const FlowDimension* time,
                                const std::string& filter) {
    auto translated = TranslateFilter(project_, model, time, filter);
    if (!translated)
      return Cannot(fmt::format("filter \"{}\": {}", filter, ReasonOf(translated.error())));
    return translated;
  }

  Result<Metric> ReadSimple(const std::string& name, const Value& node) {
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

  /// Newer manifests write the expression beside the aggregation or in it.
  const Value& WithExpr(const Value& own, const Value& node) {
    // A part of the project, which outlives this.
    // NOLINTNEXTLINE(bugprone-return-const-ref-from-parameter)
    if (!TextOf(own, "expr").empty()) return own;
    Value& copy = *kept_.emplace_back(std::make_unique<Value>(own));
    copy["expr"] = TextOf(Member(node, {"type_params", "expr"}));
    copy["name"] = TextOf(node, "name");
    return copy;
  }

  /// The name of a simple metric over the measure with these filters: one that is there already,
  /// else a new one.
  Result<std::string> SimpleOver(const Input& input, const std::string& user) {
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

  static bool SameNumber(Metric a, const Metric& b) {
    a.name = b.name;
    a.description = b.description;
    a.synonyms = b.synonyms;
    a.unit = b.unit;
    a.owner = b.owner;
    return a == b;
  }

  // Metrics over metrics.

  /// The model whose rows a metric's first leaf counts, for its filters' names; null where unclear.
  const FlowModel* FactOf(const std::string& name, int depth = 0) {
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

  /// All inputs must count rows of one model.
  const FlowModel* FactOfInputs(const Value& params, int depth) {
    std::vector<std::string> inputs;
    for (const Value* one : {&Member(params, "numerator"), &Member(params, "denominator"),
                             &Member(params, {"cumulative_type_params", "metric"})})
      if (std::string name = InputOf(*one).name; !name.empty()) inputs.push_back(std::move(name));
    for (const Value* one : ItemsOf(Member(params, "metrics")))
      inputs.push_back(InputOf(*one).name);
    const FlowModel* fact = nullptr;
    for (const std::string& input : inputs) {
      const FlowModel* model = FactOf(input, depth + 1);
      if (model == nullptr || (fact != nullptr && model != fact)) return nullptr;
      fact = model;
    }
    return fact;
  }

  /// A metric as an input of another one, whose own filters come to it too.
  Result<MetricInput> MetricInputOf(const Value& node, std::vector<std::string> filters) {
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

  Result<std::vector<std::string>> TranslateAll(const std::string& metric,
                                                const std::vector<std::string>& filters) {
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

  Metric NewMetric(const std::string& name, MetricType type) {
    Metric metric;
    metric.name = name;
    metric.type = type;
    metric.trust = FlowTrust();
    return metric;
  }

  Result<Metric> ReadRatio(const std::string& name, const Value& node) {
    Metric metric = NewMetric(name, MetricType::Ratio);
    const std::vector<std::string> filters = FiltersOf(Member(node, "filter"));
    const Value& params = Member(node, "type_params");
    WARD_TRY(metric.numerator, MetricInputOf(Member(params, "numerator"), filters));
    WARD_TRY(metric.denominator, MetricInputOf(Member(params, "denominator"), filters));
    metric.numerator->alias.clear();
    metric.denominator->alias.clear();
    return metric;
  }

  Result<Metric> ReadDerived(const std::string& name, const Value& node) {
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

  Result<Metric> ReadCumulative(const std::string& name, const Value& node) {
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

  // Conversion.

  /// Conversions count events, so the measure must count rows.
  static Status CheckCounts(const FlowModel& model, const Value& measure, const std::string& name) {
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

  /// One side of a conversion: the name of a simple metric.
  Result<std::string> SideOf(const Value& params, std::string_view side, const std::string& user,
                             const FlowModel*& model) {
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

  Result<Metric> ReadConversion(const std::string& name, const Value& node) {
    Metric metric = NewMetric(name, MetricType::Conversion);
    const Value& params = Member(node, {"type_params", "conversion_type_params"});
    if (!FiltersOf(Member(node, "filter")).empty())
      return Cannot(
          "a filter on the conversion as a whole has no counterpart; filter its measures");
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

  const FlowProject& project_;
  semantic::Definitions& definitions_;
  Losses& losses_;
  std::set<std::string, std::less<>> names_;  ///< of metrics, taken
  std::vector<std::unique_ptr<Value>> kept_;  ///< values made here that others point to
};

}  // namespace

void AddMetrics(const FlowProject& project, semantic::Definitions& definitions, Losses& losses) {
  MetricsReader(project, definitions, losses).Read();
}

}  // namespace schemaward::interchange
