// Definitions as semantic models and metrics of MetricFlow.
#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "catalog/catalog.h"
#include "interchange/carried.h"
#include "interchange/expressions.h"
#include "interchange/flow_measures.h"
#include "interchange/flow_names.h"
#include "interchange/metricflow.h"
#include "interchange/yaml_text.h"

namespace schemaward::interchange {
namespace {

using semantic::Metric;
using Json = nlohmann::ordered_json;

class Exporter {
 public:
  Exporter(const semantic::Definitions& definitions, const ExportColumns& columns, Losses losses)
      : definitions_(definitions),
        names_(definitions, WithTimes(definitions, columns)),
        metrics_(definitions, names_),
        losses_(std::move(losses)) {}

  Exported Run() {
    for (const semantic::Entity& entity : definitions_.entities) AddModel(entity);
    for (const semantic::Join& join : definitions_.joins) AddJoin(join);
    Json metrics = Json::array();
    for (const Metric& metric : definitions_.metrics)
      if (auto node = AddMetric(metric)) metrics.push_back(std::move(*node));
    Json file = {{"semantic_models", Json::array()}};
    for (const semantic::Entity& entity : definitions_.entities)
      if (models_.contains(entity.name))
        file["semantic_models"].push_back(Assembled(models_.at(entity.name)));
    if (!metrics.empty()) file["metrics"] = std::move(metrics);
    return {YamlText(file), losses_.Take()};
  }

 private:
  /// A model's own members, and what is put beside them.
  struct Parts {
    Json own;
    Json measures = Json::array();
    Json note;
  };

  static Json Assembled(const Parts& parts) {
    Json model = parts.own;
    if (!parts.measures.empty()) model["measures"] = parts.measures;
    model["config"]["meta"][std::string(kNote)] = parts.note;
    return model;
  }

  void AddModel(const semantic::Entity& entity) {
    const std::string object = "entity " + entity.name;
    const FlowOut* from = names_.Find(entity.name);
    if (from == nullptr) return losses_.Drop(object, "name", "MetricFlow has no such name");
    const std::vector<std::string> table = catalog::SplitName(entity.table);
    Json model = {{"name", entity.name}};
    if (!entity.description.empty()) model["description"] = entity.description;
    if (!entity.synonyms.empty()) model["label"] = entity.synonyms.front();
    model["model"] = fmt::format("ref('{}')", table.empty() ? entity.table : table.back());
    if (const FlowColumn* time = from->Time(); time != nullptr)
      model["defaults"] = {{"agg_time_dimension", time->name}};
    if (!from->has_key) model["primary_entity"] = entity.name;
    for (const FlowKey& key : from->keys)
      model["entities"].push_back({{"name", key.name}, {"type", key.type}, {"expr", key.column}});
    for (const FlowColumn& column : from->columns) AddDimension(entity, column, model);
    Json note = NoteOn(model, json::WriteArguments(entity));
    models_[entity.name] = {std::move(model), Json::array(), std::move(note)};
    NoteLosses(entity, table.size(), *from);
  }

  void NoteLosses(const semantic::Entity& entity, std::size_t table_parts, const FlowOut& model) {
    const std::string object = "entity " + entity.name;
    if (table_parts > 1)
      losses_.Add(object, "table", "dbt finds it by the name of its model, without a schema");
    if (!model.has_key)
      losses_.Add(object, "identity", "keys of MetricFlow are one column: nothing joins to it");
    if (!entity.time_zone.empty())
      losses_.Add(object, "time_zone", "MetricFlow has no word for it");
    if (entity.synonyms.size() > 1) losses_.Add(object, "synonyms", "MetricFlow has one label");
    for (const semantic::Dimension& dimension : entity.dimensions)
      if (model.Column(dimension.name) == nullptr)
        losses_.Drop("dimension " + entity.name + "." + dimension.name, "name",
                     "MetricFlow has no such name, or it is another part's");
  }

  void AddDimension(const semantic::Entity& entity, const FlowColumn& column, Json& model) {
    auto sql = FlowNames::DimensionSql(column);
    if (!sql)
      return losses_.Drop("dimension " + entity.name + "." + column.name, "expression",
                          ReasonOf(sql.error()));
    Json node = {{"name", column.name}, {"type", column.IsTime() ? "time" : "categorical"}};
    if (column.source != nullptr && !column.source->synonyms.empty())
      node["label"] = column.source->synonyms.front();
    if (column.source != nullptr && !column.source->description.empty())
      node["description"] = column.source->description;
    if (column.IsTime()) node["type_params"] = {{"time_granularity", column.grain()}};
    if (*sql != column.name) node["expr"] = std::move(*sql);
    model["dimensions"].push_back(std::move(node));
  }

  /// What has no form is kept whole in the note of a model, if there is one.
  template <class T>
  void Hide(const std::string& kind, const std::string& model, const T& definition,
            const std::string& reason) {
    if (const auto parts = models_.find(model); parts != models_.end())
      parts->second.note["hidden"][kind + "s"].push_back(
          Json::parse(json::WriteArguments(definition)));
    losses_.Drop(kind + " " + definition.name, {}, reason);
  }

  void AddJoin(const semantic::Join& join) {
    if (const auto reason = names_.WhyNot(join)) return Hide("join", join.from, join, *reason);
    Parts& parts = models_.at(join.from);
    parts.note["joins"].push_back(Json::parse(json::WriteArguments(join)));
    for (const auto& [member, is_there] : {std::pair{"description", !join.description.empty()},
                                           {"from_role", !join.from_role.empty()}})
      if (is_there) losses_.Add("join " + join.name, member, "links of MetricFlow have none");
  }

  std::optional<Json> AddMetric(const Metric& metric) {
    auto written = metrics_.Write(metric);
    if (!written) {
      Hide("metric", metrics_.ModelOf(metric), metric, ReasonOf(written.error()));
      return std::nullopt;
    }
    const Json measure = Json::parse(written->measure);
    if (!measure.is_null()) models_.at(metric.entity).measures.push_back(measure);
    Json node = Json::parse(written->metric);
    if (!metric.unit.empty()) node["config"]["meta"]["unit"] = metric.unit;
    if (!metric.owner.empty()) node["config"]["meta"]["owner"] = metric.owner;
    Json both = {{"metric", node}, {"measure", measure}};
    node["config"]["meta"][std::string(kNote)] = NoteOn(both, json::WriteArguments(metric));
    const std::string object = "metric " + metric.name;
    if (metric.synonyms.size() > 1) losses_.Add(object, "synonyms", "MetricFlow has one label");
    if (!metric.time_grains.empty())
      losses_.Add(object, "time_grains", "MetricFlow allows every grain of the time");
    for (const std::string& loss : written->lost) losses_.Add(object, "filters", loss);
    return node;
  }

  const semantic::Definitions& definitions_;
  FlowNames names_;
  FlowMetrics metrics_;
  std::map<std::string, Parts, std::less<>> models_;
  Losses losses_;
};

}  // namespace

Exported ExportMetricFlow(const semantic::Definitions& definitions, const ExportColumns& columns) {
  Writable writable = WithoutTemplates(definitions);
  return Exporter(writable.definitions, columns, std::move(writable.losses)).Run();
}

}  // namespace schemaward::interchange
