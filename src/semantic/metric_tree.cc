#include "semantic/metric_tree.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "sql/read/expression.h"
#include "sql/rewrite.h"

namespace schemaward::semantic {
namespace {

constexpr int kDepthMax = 16;
constexpr std::size_t kLeavesMax = 40;

// What an input adds to the metrics below it.
struct Context {
  std::vector<std::string> filters;
  std::vector<Offset> offsets;
  Window window;
};

Error FromProblem(const ModelMetric& metric) {
  const Problem& problem = metric.problems.front();
  Error error(problem.kind,
              fmt::format("metric \"{}\": {}", metric.definition.name, problem.message));
  error.Near(problem.near);
  return error;
}

bool CountsRows(Aggregation aggregation) {
  return aggregation == Aggregation::Count || aggregation == Aggregation::CountDistinct ||
         aggregation == Aggregation::SumBoolean;
}

class Expander {
 public:
  Expander(const Model& model, MetricTree& tree) : model_(model), tree_(tree) {}

  Result<sql::ExpressionPtr> Expand(const ModelMetric& metric, const Context& context, int depth) {
    if (depth > kDepthMax)
      return Error(ErrorKind::UnknownMetric,
                   fmt::format("metric \"{}\" is made of too many others", metric.definition.name));
    if (!metric.problems.empty()) return FromProblem(metric);
    if (std::find(tree_.used.begin(), tree_.used.end(), &metric) == tree_.used.end())
      tree_.used.push_back(&metric);
    switch (metric.definition.type) {
      case MetricType::Simple:
      case MetricType::Conversion:
        return AddLeaf(metric, context);
      case MetricType::Ratio:
        return ExpandRatio(metric.definition, context, depth);
      case MetricType::Derived:
        return ExpandDerived(metric.definition, context, depth);
      case MetricType::Cumulative:
        return ExpandCumulative(metric.definition, context, depth);
      case MetricType::PeriodOverPeriod:
        return ExpandPeriods(metric.definition, context, depth);
    }
    return Error(ErrorKind::Internal, "a metric has no type");
  }

 private:
  Result<sql::ExpressionPtr> AddLeaf(const ModelMetric& metric, const Context& context) {
    MetricLeaf leaf{&metric, context.filters, context.offsets, context.window, "", ""};
    auto found = std::find_if(tree_.leaves.begin(), tree_.leaves.end(),
                              [&](const MetricLeaf& other) { return other.SameAs(leaf); });
    if (found == tree_.leaves.end()) {
      if (tree_.leaves.size() >= kLeavesMax)
        return Error(ErrorKind::ByteCap, "the metrics are made of too many aggregates");
      leaf.column = fmt::format("m{}", tree_.leaves.size());
      leaf.base_column = fmt::format("b{}", tree_.leaves.size());
      tree_.leaves.push_back(std::move(leaf));
      found = std::prev(tree_.leaves.end());
    }
    const auto count = [](const std::string& column) {
      return sql::MakeCall(
          {.function = "coalesce",
           .arguments = {sql::MakeColumn("", column), sql::MakeLiteral({std::int64_t{0}})}});
    };
    const Metric& definition = metric.definition;
    if (definition.type == MetricType::Conversion) {
      if (definition.calculation == "count") return count(found->column);
      return sql::Make({sql::Ratio{count(found->column), sql::MakeColumn("", found->base_column)}});
    }
    // A group that is there because of another metric has no rows: that is a count of none.
    if (CountsRows(definition.aggregation)) return count(found->column);
    return sql::MakeColumn("", found->column);
  }

  Result<sql::ExpressionPtr> ExpandInput(const MetricInput& input, Context context, int depth) {
    const ModelMetric* metric = model_.FindMetric(input.metric);
    if (metric == nullptr)
      return Error(ErrorKind::UnknownMetric, fmt::format("no metric is named \"{}\"", input.metric))
          .Near(model_.NearMetrics(input.metric));
    context.filters.insert(context.filters.end(), input.filters.begin(), input.filters.end());
    if (!input.offset.empty()) {
      const auto span = ParseSpan(input.offset);
      if (!span)
        return Error(ErrorKind::MalformedName,
                     fmt::format("\"{}\" is not a length of time", input.offset));
      context.offsets.push_back({*span, input.align});
    }
    return Expand(*metric, context, depth + 1);
  }

  Result<sql::ExpressionPtr> ExpandRatio(const Metric& metric, const Context& context, int depth) {
    WARD_TRY(auto numerator, ExpandInput(*metric.numerator, context, depth));
    WARD_TRY(auto denominator, ExpandInput(*metric.denominator, context, depth));
    return sql::Make({sql::Ratio{std::move(numerator), std::move(denominator)}});
  }

  Result<sql::ExpressionPtr> ExpandDerived(const Metric& metric, const Context& context,
                                           int depth) {
    std::map<std::string, sql::ExpressionPtr> values;
    for (const MetricInput& input : metric.inputs) {
      WARD_TRY(auto value, ExpandInput(input, context, depth));
      values[input.alias.empty() ? input.metric : input.alias] = std::move(value);
    }
    WARD_TRY(const auto expression, sql::ReadExpression(metric.expression));
    return sql::RewriteColumns(
        expression, [&](const sql::ColumnRef& ref) -> Result<sql::ExpressionPtr> {
          const auto found = values.find(ref.column);
          if (found != values.end() && ref.qualifier.empty()) return found->second;
          return Error(ErrorKind::UnknownMetric,
                       fmt::format("the expression of metric \"{}\" names \"{}\", which is none "
                                   "of its inputs",
                                   metric.name, ref.column));
        });
  }

  Result<sql::ExpressionPtr> ExpandCumulative(const Metric& metric, Context context, int depth) {
    if (context.window.what != Window::What::Period)
      return Error(
          ErrorKind::GrainMismatch,
          fmt::format("metric \"{}\" is cumulative inside another cumulative metric", metric.name));
    if (const auto span = ParseSpan(metric.window)) {
      context.window = {Window::What::Trailing, *span, ""};
    } else if (!metric.grain_to_date.empty()) {
      context.window = {Window::What::ToDate, {}, metric.grain_to_date};
    } else {
      context.window.what = Window::What::AllTime;
    }
    return ExpandInput(*metric.input, std::move(context), depth);
  }

  Result<sql::ExpressionPtr> ExpandPeriods(const Metric& metric, const Context& context,
                                           int depth) {
    WARD_TRY(auto now, ExpandInput(*metric.input, context, depth));
    MetricInput earlier = *metric.input;
    Context moved = context;
    const auto span = ParseSpan(metric.offset);
    if (!span)
      return Error(ErrorKind::MalformedName,
                   fmt::format("\"{}\" is not a length of time", metric.offset));
    moved.offsets.push_back({*span, metric.align});
    WARD_TRY(auto before, ExpandInput(earlier, moved, depth));
    if (metric.calculation == "previous") return before;
    if (metric.calculation == "ratio")
      return sql::Make({sql::Ratio{std::move(now), std::move(before)}});
    auto difference = sql::MakeBinary("-", std::move(now), before);
    if (metric.calculation == "percent_change")
      return sql::Make({sql::Ratio{std::move(difference), std::move(before)}});
    return difference;
  }

  const Model& model_;
  MetricTree& tree_;
};

}  // namespace

bool MetricLeaf::SameAs(const MetricLeaf& other) const {
  return metric == other.metric && filters == other.filters && offsets == other.offsets &&
         window == other.window;
}

Status AddMetric(const Model& model, const ModelMetric& metric, const std::string& name,
                 const std::vector<Offset>& offsets, MetricTree& tree) {
  Expander expander(model, tree);
  WARD_TRY(auto expression, expander.Expand(metric, {{}, offsets, {}}, 0));
  tree.values.push_back({name, &metric, std::move(expression), metric.definition.unit});
  return Ok();
}

}  // namespace schemaward::semantic
