// list_metrics: the governed numbers, and how each is asked.

#include "json/value.h"
#include "tools/definition_list.h"
#include "tools/groupable.h"
#include "tools/tools.h"

namespace schemaward::tools {
namespace {

struct In : ListIn {
  Format response_format = Format::Concise;
  void Bind(json::Fields& f) {
    ListIn::Bind(f);
    f("response_format", response_format,
      "detailed adds groupable columns, grains, time dimension and an example call");
  }
};

struct Row {
  static constexpr const char* kList = "metrics";
  static constexpr const char* kListDoc = "by name; with a query, best first";
  std::string name, description, entity, aggregation, measure_column, measure_expression, unit,
      owner, time_dimension, source, problem;
  semantic::MetricType type = semantic::MetricType::Simple;
  std::vector<std::string> synonyms, filters, inputs, time_grains, groupable, reachable_entities,
      time_dimensions;
  std::string default_time_dimension;
  std::optional<json::Raw> example_call;
  tool::Confidence confidence = tool::Confidence::High;
  tool::Provenance provenance;
  void Bind(json::Fields& f) {
    f("name", name, "metric, as get_metric takes it");
    f("description", description, "what it measures", {.omit_empty = true});
    f("type", type, "simple, ratio, derived, cumulative, conversion or period_over_period");
    f("entity", entity, "entity whose rows it is made of, where there is one",
      {.omit_empty = true});
    f("aggregation", aggregation, "of a simple metric", {.omit_empty = true});
    f("measure_column", measure_column, "column that is aggregated", {.omit_empty = true});
    f("measure_expression", measure_expression, "expression that is aggregated or computed",
      {.omit_empty = true});
    f("filters", filters, "conditions that are part of it", {.omit_empty = true});
    f("inputs", inputs, "metrics it is made of", {.omit_empty = true});
    f("unit", unit, "ISO 4217 code, percent, or text", {.omit_empty = true});
    f("time_dimension", time_dimension, "column of time that it names", {.omit_empty = true});
    f("time_grains", time_grains, "grains it can be asked by", {.omit_empty = true});
    f("synonyms", synonyms, "other words for it", {.omit_empty = true});
    f("owner", owner, "who answers for it", {.omit_empty = true});
    f("groupable", groupable, "columns to group by that repeat no row; detailed",
      {.omit_empty = true});
    f("reachable_entities", reachable_entities,
      "entities and roles whose columns repeat no row; detailed", {.omit_empty = true});
    f("default_time_dimension", default_time_dimension, "column of time it is cut by; detailed",
      {.omit_empty = true});
    f("time_dimensions", time_dimensions, "columns of time one of which must be named; detailed",
      {.omit_empty = true});
    f("example_call", example_call, "complete arguments of get_metric; detailed",
      {.omit_empty = true});
    f("source", source, "source name");
    f("problem", problem, "why it cannot be used as it is", {.omit_empty = true});
    f("confidence", confidence, "how far the definition is trusted");
    f("provenance", provenance, "where the definition comes from");
  }
};

std::vector<std::string> InputsOf(const semantic::Metric& metric) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  };
  for (const auto* input : {&metric.numerator, &metric.denominator, &metric.input})
    if (*input) add((*input)->metric);
  for (const semantic::MetricInput& input : metric.inputs) add(input.metric);
  add(metric.base);
  add(metric.conversion);
  return names;
}

void AddDetails(const Services& s, const Listed& one, const semantic::ModelMetric& metric,
                Row& row) {
  Askable askable =
      AskableOf(*one.at->model, metric, s.PolicyFor(one.at->source), s.clock.UnixMicros());
  row.synonyms = CleanWords(metric.definition.synonyms);
  row.owner = CleanWord(metric.definition.owner);
  row.groupable = std::move(askable.groupable);
  row.reachable_entities = std::move(askable.reachable);
  row.time_grains = std::move(askable.grains);
  row.default_time_dimension = std::move(askable.default_time_dimension);
  row.time_dimensions = std::move(askable.time_dimensions);
  if (metric.problems.empty()) row.example_call = json::Raw{json::WriteArguments(askable.example)};
}

Row Show(const Listed& one, const In& in, const Services& s) {
  const semantic::ModelMetric& metric = one.at->model->metrics()[one.index];
  const semantic::Metric& definition = metric.definition;
  Row row;
  row.name = definition.name;
  const bool detailed = in.response_format == Format::Detailed;
  row.description =
      CleanText(definition.description, detailed ? kDetailedComment : kConciseComment);
  row.type = definition.type;
  const auto facts = FactsOf(*one.at->model, definition);
  if (facts.size() == 1) row.entity = facts.front();
  if (definition.aggregation != semantic::Aggregation::None)
    row.aggregation = json::EnumNames<semantic::Aggregation>::kNames[static_cast<std::size_t>(
        definition.aggregation)];
  row.measure_column = definition.column;
  row.measure_expression = definition.expression;
  row.filters = definition.filters;
  row.inputs = InputsOf(definition);
  row.unit = CleanWord(definition.unit);
  row.time_dimension = definition.time_dimension;
  row.time_grains = definition.time_grains;
  row.source = one.at->source.name;
  row.problem = ProblemOf(metric.problems);
  row.confidence = ConfidenceOf(definition.trust);
  row.provenance = ProvenanceOf(definition.trust);
  if (detailed) AddDetails(s, one, metric, row);
  return row;
}

Result<tool::Outcome<ListOut<Row>>> Run(const Services& s, const In& in, CallContext& ctx) {
  const ListKind kind = {store::DefinitionKind::Metric,
                         "list_metrics",
                         {"get_metric", "describe_entity"},
                         {"list_entities", "find_relevant_tables"}};
  return RunList<Row>(s, in, ctx, kind, Show);
}

}  // namespace

tool::ToolPtr list_metrics(const Services& services) {
  return tool::MakeTool<In, ListOut<Row>>(
      {.name = "list_metrics",
       .title = "List metrics",
       .description =
           "Use this when you need the metrics that are defined, for any number. Returns names, "
           "what is summed, units and trust; detailed adds columns to group by, grains and an "
           "example call. Use get_metric instead when you know the name. Common compositions: "
           "list_metrics then get_metric; list_metrics then describe_entity for filters.",
       .effect = tool::Effect::ReadsIndex,
       .tokens_estimate = 700,
       .set = "semantic",
       .example_json = "{}"},
      services, Run);
}

}  // namespace schemaward::tools
