// What is wrong with a metric's definition.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "semantic/check.h"
#include "semantic/check_parts.h"
#include "semantic/columns.h"
#include "semantic/time_range.h"
#include "sql/read/expression.h"
#include "sql/rewrite.h"
#include "text/nearest.h"

namespace schemaward::semantic {
namespace {

constexpr std::size_t kChainMax = 16;  // metrics made of metrics

void CheckSpan(const std::string& text, std::string_view member, Problems& problems) {
  if (text.empty() || ParseSpan(text)) return;
  AddProblem(problems, ErrorKind::MalformedName, member, text,
             fmt::format("\"{}\" is not a length of time such as 28 days", text));
}

class MetricChecker {
 public:
  MetricChecker(const Model& model, ModelMetric& metric)
      : model_(model), metric_(metric.definition), problems_(metric.problems) {}

  void Run() {
    CheckName(metric_.name, "name", problems_);
    switch (metric_.type) {
      case MetricType::Simple:
        CheckSimple();
        break;
      case MetricType::Ratio:
        CheckInput(metric_.numerator, "numerator");
        CheckInput(metric_.denominator, "denominator");
        break;
      case MetricType::Derived:
        CheckDerived();
        break;
      case MetricType::Cumulative:
        CheckInput(metric_.input, "input");
        CheckSpan(metric_.window, "window", problems_);
        CheckToDate();
        break;
      case MetricType::PeriodOverPeriod:
        CheckInput(metric_.input, "input");
        CheckPeriods();
        break;
      case MetricType::Conversion:
        CheckConversion();
        break;
    }
    for (std::size_t i = 0; i < metric_.time_grains.size(); ++i)
      if (!GrainOf(metric_.time_grains[i]) ||
          WordOf(*GrainOf(metric_.time_grains[i])) != metric_.time_grains[i])
        AddProblem(problems_, ErrorKind::InvalidTimeGrain, fmt::format("time_grains[{}]", i),
                   metric_.time_grains[i],
                   fmt::format("\"{}\" is not a grain of time", metric_.time_grains[i]),
                   {std::string(NearestGrain(metric_.time_grains[i]))});
    CheckCycle();
  }

 private:
  const ModelEntity* FindFact() {
    if (metric_.entity.empty()) {
      AddProblem(problems_, ErrorKind::InvalidArgument, "entity", "",
                 "a simple metric needs an entity");
      return nullptr;
    }
    const ModelEntity* fact = model_.FindEntity(metric_.entity);
    if (fact == nullptr)
      AddProblem(problems_, ErrorKind::UnknownEntity, "entity", metric_.entity,
                 fmt::format("no entity is named \"{}\"", metric_.entity),
                 model_.NearEntities(metric_.entity));
    else if (!fact->problems.empty())
      AddProblem(problems_, ErrorKind::SchemaDrift, "entity", fact->problems.front().object,
                 fmt::format("entity \"{}\": {}", metric_.entity, fact->problems.front().message),
                 fact->problems.front().near);
    return fact != nullptr && fact->problems.empty() ? fact : nullptr;
  }

  void CheckTarget(const ModelEntity& fact, const std::string& name, std::string_view member,
                   ErrorKind kind) {
    const auto target = FindColumnTarget(model_, model_.NodeOf(fact), name, kind);
    if (target) return;
    AddProblem(problems_, target.error().kind(), member, name, target.error().message(),
               target.error().recovery().fuzzy_matches);
  }

  void CheckExpression(const ModelEntity& fact, const std::string& text, std::string_view member,
                       ErrorKind kind) {
    const auto expression = sql::ReadExpression(text);
    if (!expression) {
      AddProblem(problems_, ErrorKind::SqlSyntax, member, text, expression.error().message());
      return;
    }
    (void)sql::VisitColumns(*expression, [&](const sql::ColumnRef& ref) -> Status {
      const std::string column = catalog::QuoteName(ref.column);
      CheckTarget(fact, ref.qualifier.empty() ? column : ref.qualifier + "." + column, member,
                  kind);
      return Ok();
    });
  }

  void CheckSimple() {
    const ModelEntity* fact = FindFact();
    if (metric_.aggregation == Aggregation::None)
      AddProblem(problems_, ErrorKind::InvalidArgument, "aggregation", "",
                 "a simple metric needs an aggregation");
    const bool has_operand = !metric_.column.empty() || !metric_.expression.empty();
    if (!metric_.column.empty() && !metric_.expression.empty())
      AddProblem(problems_, ErrorKind::InvalidArgument, "expression", metric_.expression,
                 "a metric has a column or an expression, not both");
    if (!has_operand && metric_.aggregation != Aggregation::Count &&
        metric_.aggregation != Aggregation::None)
      AddProblem(problems_, ErrorKind::InvalidArgument, "column", "",
                 "this aggregation needs a column or an expression");
    const bool is_percentile = metric_.aggregation == Aggregation::Percentile;
    if (is_percentile &&
        !(metric_.percentile && *metric_.percentile > 0 && *metric_.percentile < 1))
      AddProblem(problems_, ErrorKind::InvalidArgument, "percentile", "",
                 "percentile must be more than 0 and less than 1");
    if (metric_.semi_additive && metric_.semi_additive->take != "first" &&
        metric_.semi_additive->take != "last")
      AddProblem(problems_, ErrorKind::InvalidArgument, "semi_additive.take",
                 metric_.semi_additive->take, "semi_additive.take must be first or last",
                 {"last", "first"});
    if (fact == nullptr) return;
    if (!metric_.column.empty())
      CheckTarget(*fact, metric_.column, "column", ErrorKind::UnknownMeasure);
    if (!metric_.expression.empty())
      CheckExpression(*fact, metric_.expression, "expression", ErrorKind::UnknownMeasure);
    for (std::size_t i = 0; i < metric_.filters.size(); ++i)
      CheckExpression(*fact, metric_.filters[i], fmt::format("filters[{}]", i),
                      ErrorKind::UnknownFilter);
    if (!metric_.time_dimension.empty())
      CheckTarget(*fact, metric_.time_dimension, "time_dimension", ErrorKind::SchemaDrift);
    if (metric_.semi_additive)
      for (const std::string& column : metric_.semi_additive->by)
        CheckTarget(*fact, column, "semi_additive.by", ErrorKind::UnknownMeasure);
  }

  void CheckInput(const std::optional<MetricInput>& input, std::string_view member) {
    if (!input || input->metric.empty()) {
      AddProblem(problems_, ErrorKind::InvalidArgument, member, "",
                 fmt::format("this type of metric needs \"{}\"", member));
      return;
    }
    CheckMetricName(input->metric, member);
    CheckSpan(input->offset, fmt::format("{}.offset", member), problems_);
    for (const std::string& filter : input->filters)
      if (const auto read = sql::ReadExpression(filter); !read)
        AddProblem(problems_, ErrorKind::SqlSyntax, fmt::format("{}.filters", member), filter,
                   read.error().message());
  }

  void CheckMetricName(const std::string& name, std::string_view member) {
    if (model_.FindMetric(name) != nullptr) return;
    AddProblem(problems_, ErrorKind::UnknownMetric, member, name,
               fmt::format("no metric is named \"{}\"", name), model_.NearMetrics(name));
  }

  void CheckDerived() {
    std::set<std::string> names;
    for (std::size_t i = 0; i < metric_.inputs.size(); ++i) {
      const MetricInput& input = metric_.inputs[i];
      CheckInput(input, fmt::format("inputs[{}]", i));
      names.insert(input.alias.empty() ? input.metric : input.alias);
    }
    const auto expression = sql::ReadExpression(metric_.expression);
    if (!expression) {
      AddProblem(problems_, ErrorKind::SqlSyntax, "expression", metric_.expression,
                 expression.error().message());
      return;
    }
    const std::vector<std::string> known(names.begin(), names.end());
    (void)sql::VisitColumns(*expression, [&](const sql::ColumnRef& ref) -> Status {
      if (!ref.qualifier.empty() || !names.contains(ref.column))
        AddProblem(
            problems_, ErrorKind::UnknownMetric, "expression", ref.column,
            fmt::format("the expression names \"{}\", which is none of the inputs", ref.column),
            text::FindNearestNames(ref.column, known, kNearProblems));
      return Ok();
    });
  }

  void CheckToDate() {
    const std::string& grain = metric_.grain_to_date;
    if (grain.empty() || (GrainOf(grain) && WordOf(*GrainOf(grain)) == grain && grain != "hour"))
      return;
    AddProblem(problems_, ErrorKind::InvalidTimeGrain, "grain_to_date", grain,
               fmt::format("\"{}\" is not a grain of time", grain),
               {std::string(NearestGrain(grain))});
  }

  void CheckPeriods() {
    if (metric_.offset.empty())
      AddProblem(problems_, ErrorKind::InvalidArgument, "offset", "",
                 "a period over period metric needs an offset");
    CheckSpan(metric_.offset, "offset", problems_);
    static const std::vector<std::string> words = {"difference", "ratio", "percent_change",
                                                   "previous"};
    const std::string& word = metric_.calculation;
    if (!word.empty() && std::find(words.begin(), words.end(), word) == words.end())
      AddProblem(problems_, ErrorKind::InvalidArgument, "calculation", word,
                 fmt::format("\"{}\" is not a calculation", word),
                 text::FindNearestNames(word, words, kNearProblems));
  }

  void CheckConversion() {
    for (const auto& [name, member] :
         {std::pair<const std::string&, const char*>(metric_.base, "base"),
          {metric_.conversion, "conversion"}}) {
      CheckMetricName(name, member);
      const ModelMetric* event = model_.FindMetric(name);
      if (event != nullptr && event->definition.type != MetricType::Simple)
        AddProblem(problems_, ErrorKind::InvalidArgument, member, name,
                   fmt::format("\"{}\" is not a simple metric, whose rows are events", name));
    }
    if (metric_.match.empty())
      AddProblem(problems_, ErrorKind::InvalidArgument, "match", "",
                 "a conversion needs the columns that tell who did both");
    CheckSpan(metric_.window, "window", problems_);
    const auto span = ParseSpan(metric_.window);
    if (span && span->unit != "hour" && span->unit != "day" && span->unit != "week")
      AddProblem(problems_, ErrorKind::InvalidArgument, "window", metric_.window,
                 "the window of a conversion is in hours, days or weeks");
    const std::string& word = metric_.calculation;
    if (!word.empty() && word != "rate" && word != "count")
      AddProblem(problems_, ErrorKind::InvalidArgument, "calculation", word,
                 "calculation must be rate or count", {"rate", "count"});
    CheckEvent(metric_.base, true);
    CheckEvent(metric_.conversion, false);
  }

  void CheckEvent(const std::string& name, bool is_base) {
    const ModelMetric* event = model_.FindMetric(name);
    const ModelEntity* fact =
        event == nullptr ? nullptr : model_.FindEntity(event->definition.entity);
    if (fact == nullptr || !fact->problems.empty()) return;
    for (std::size_t i = 0; i < metric_.match.size(); ++i)
      CheckTarget(*fact, is_base ? metric_.match[i].from : metric_.match[i].to,
                  fmt::format("match[{}]", i), ErrorKind::UnknownMeasure);
    for (const ConstantProperty& one : metric_.constant_properties)
      CheckTarget(*fact, is_base ? one.base : one.conversion, "constant_properties",
                  ErrorKind::UnknownMeasure);
  }

  std::vector<std::string> InputsOf(const Metric& metric) const {
    std::vector<std::string> names;
    for (const auto* input : {&metric.numerator, &metric.denominator, &metric.input})
      if (*input) names.push_back((*input)->metric);
    for (const MetricInput& input : metric.inputs) names.push_back(input.metric);
    for (const std::string* name : {&metric.base, &metric.conversion})
      if (!name->empty()) names.push_back(*name);
    return names;
  }

  void CheckCycle() {
    std::vector<std::string> ring = InputsOf(metric_);
    std::set<std::string> seen(ring.begin(), ring.end());
    for (std::size_t step = 0; step < kChainMax && !ring.empty(); ++step) {
      if (seen.contains(metric_.name)) {
        AddProblem(problems_, ErrorKind::InvalidArgument, "name", metric_.name,
                   "the metric is made of itself");
        return;
      }
      std::vector<std::string> next;
      for (const std::string& name : ring)
        if (const ModelMetric* used = model_.FindMetric(name))
          for (std::string& deeper : InputsOf(used->definition))
            if (seen.insert(deeper).second) next.push_back(std::move(deeper));
      ring = std::move(next);
    }
    if (!ring.empty())
      AddProblem(problems_, ErrorKind::InvalidArgument, "name", metric_.name,
                 "the metric is made of too many others");
  }

  const Model& model_;
  const Metric& metric_;
  Problems& problems_;
};

}  // namespace

void CheckMetric(const Model& model, ModelMetric& metric) { MetricChecker(model, metric).Run(); }

}  // namespace schemaward::semantic
