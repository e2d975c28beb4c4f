// Definitions as cubes of Cube.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "interchange/carried.h"
#include "interchange/cube.h"
#include "interchange/cube_names.h"
#include "interchange/expressions.h"
#include "interchange/yaml_text.h"

namespace schemaward::interchange {
namespace {

using semantic::Aggregation;
using semantic::Metric;
using semantic::MetricType;
using Json = nlohmann::ordered_json;

Error Cannot(std::string_view reason) { return {ErrorKind::SqlSyntax, reason}; }

std::string_view TypeOf(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::Number:
      return "number";
    case ColumnKind::Boolean:
      return "boolean";
    case ColumnKind::Date:
    case ColumnKind::Time:
      return "time";
    case ColumnKind::Text:
      break;
  }
  return "string";
}

std::string_view TypeOf(Aggregation aggregation) {
  switch (aggregation) {
    case Aggregation::Sum:
    case Aggregation::SumBoolean:
      return "sum";
    case Aggregation::Count:
      return "count";
    case Aggregation::CountDistinct:
      return "count_distinct";
    case Aggregation::Avg:
      return "avg";
    case Aggregation::Min:
      return "min";
    case Aggregation::Max:
      return "max";
    case Aggregation::Median:
    case Aggregation::Percentile:
    case Aggregation::None:
      break;
  }
  return {};
}

void AddWords(const std::string& description, const std::vector<std::string>& synonyms,
              Json& node) {
  if (!synonyms.empty()) node["title"] = synonyms.front();
  if (!description.empty()) node["description"] = description;
}

class Exporter {
 public:
  Exporter(const semantic::Definitions& definitions, const ExportColumns& columns, Losses losses)
      : definitions_(definitions),
        names_(definitions, WithTimes(definitions, columns)),
        losses_(std::move(losses)) {}

  Exported Run() {
    for (const semantic::Entity& entity : definitions_.entities) AddCube(entity);
    for (const Metric& metric : definitions_.metrics) Place(metric);
    const auto pairs = CountPairs(definitions_.joins);
    for (const semantic::Join& join : definitions_.joins) AddJoin(join, pairs.at(PairOf(join)));
    for (const Metric& metric : definitions_.metrics) AddMetric(metric);
    Json list = Json::array();
    for (const semantic::Entity& entity : definitions_.entities)
      list.push_back(Assembled(cubes_.at(entity.name)));
    return {YamlText({{"cubes", std::move(list)}}), losses_.Take()};
  }

 private:
  /// A cube's own members, and what is put beside them.
  struct Parts {
    Json own;  ///< name, table, words, dimensions
    Json joins = Json::array();
    Json measures = Json::array();
    Json note;
  };

  static Json Assembled(const Parts& parts) {
    Json cube = parts.own;
    if (!parts.joins.empty()) cube["joins"] = parts.joins;
    if (!parts.measures.empty()) cube["measures"] = parts.measures;
    cube["meta"][std::string(kNote)] = parts.note;
    return cube;
  }

  void AddCube(const semantic::Entity& entity) {
    const std::string object = "entity " + entity.name;
    Json cube = {{"name", entity.name}, {"sql_table", entity.table}};
    AddWords(entity.description, entity.synonyms, cube);
    for (const CubeDimension& dimension : names_.DimensionsOf(entity.name))
      if (auto node = DimensionNode(entity, dimension))
        cube["dimensions"].push_back(std::move(*node));
    Json note = NoteOn(cube, json::WriteArguments(entity));
    cubes_[entity.name] = {std::move(cube), Json::array(), Json::array(), std::move(note)};
    for (const auto& [member, is_there] :
         {std::pair{"time_zone", !entity.time_zone.empty()},
          {"default_time_dimension", !entity.default_time_dimension.empty()},
          {"synonyms", entity.synonyms.size() > 1}})
      if (is_there) losses_.Add(object, member, "Cube has no word for it");
  }

  std::optional<Json> DimensionNode(const semantic::Entity& entity,
                                    const CubeDimension& dimension) {
    Json node = {{"name", dimension.name}};
    auto sql = CubeNames::DimensionSql(dimension);
    if (!sql) {
      losses_.Drop("dimension " + entity.name + "." + dimension.name, "expression",
                   ReasonOf(sql.error()));
      return std::nullopt;
    }
    node["sql"] = std::move(*sql);
    if (dimension.source != nullptr)
      AddWords(dimension.source->description, dimension.source->synonyms, node);
    node["type"] = TypeOf(dimension.kind);
    if (dimension.is_key) node["primary_key"] = true;
    return node;
  }

  /// What has no form is kept whole in the note of a cube, if there is one.
  template <class T>
  void Hide(const std::string& kind, const std::string& cube, const T& definition,
            const std::string& reason) {
    if (const auto parts = cubes_.find(cube); parts != cubes_.end())
      parts->second.note["hidden"][kind + "s"].push_back(
          Json::parse(json::WriteArguments(definition)));
    losses_.Drop(kind + " " + definition.name, {}, reason);
  }

  void AddJoin(const semantic::Join& join, int pairs) {
    const std::string object = "join " + join.name;
    if (!cubes_.contains(join.from) || !cubes_.contains(join.to))
      return losses_.Drop(object, {}, "one of its entities is not there");
    if (const auto reason = WhyNoCubeJoin(join, pairs))
      return Hide("join", join.from, join, *reason);
    std::string sql;
    for (const semantic::ColumnPair& pair : join.on)
      sql += fmt::format("{}{{CUBE}}.{} = {{{}}}.{}", sql.empty() ? "" : " AND ",
                         Spelled(pair.from), join.to, Spelled(pair.to));
    Json node = {{"name", join.to},
                 {"relationship", json::EnumNames<semantic::Cardinality>::kNames.at(
                                      static_cast<std::size_t>(join.cardinality))},
                 {"sql", std::move(sql)}};
    Parts& parts = cubes_.at(join.from);
    parts.note["joins"].push_back(NoteOn(node, json::WriteArguments(join)));
    parts.joins.push_back(std::move(node));
    if (!join.role.empty() || !join.from_role.empty())
      losses_.Add(object, "role", "Cube has no word for it");
    if (join.name != join.from + "_" + join.to)
      losses_.Add(object, "name", "joins of Cube have none");
  }

  const Metric* Find(const std::string& name) const {
    for (const Metric& metric : definitions_.metrics)
      if (metric.name == name) return &metric;
    return nullptr;
  }

  /// The entity whose rows the first leaf counts; empty where there is none.
  std::string CubeOf(const Metric& metric, int depth = 0) const {
    constexpr int kDepthMax = 20;
    if (metric.type == MetricType::Simple) return metric.entity;
    std::string next = metric.base;
    if (metric.numerator) next = metric.numerator->metric;
    if (metric.input) next = metric.input->metric;
    if (!metric.inputs.empty()) next = metric.inputs.front().metric;
    const Metric* leaf = Find(next);
    return leaf == nullptr || depth > kDepthMax ? std::string() : CubeOf(*leaf, depth + 1);
  }

  /// Gives the metric its cube and the name of its measure, which no dimension may have.
  void Place(const Metric& metric) {
    const std::string cube = CubeOf(metric);
    if (!cubes_.contains(cube)) return;
    const auto& dimensions = names_.DimensionsOf(cube);
    const bool is_taken =
        std::any_of(dimensions.begin(), dimensions.end(),
                    [&](const CubeDimension& dimension) { return dimension.name == metric.name; });
    places_[metric.name] = {cube, is_taken ? metric.name + "_measure" : metric.name};
  }

  void AddMetric(const Metric& metric) {
    const auto place = places_.find(metric.name);
    if (place == places_.end())
      return losses_.Drop("metric " + metric.name, {}, "there is no entity for it");
    const auto& [cube, name] = place->second;
    auto node = MeasureOf(metric, cube, 0);
    if (!node) return Hide("metric", cube, metric, ReasonOf(node.error()));
    (*node)["name"] = name;
    AddWords(metric.description, metric.synonyms, *node);
    if (metric.unit == "percent") (*node)["format"] = "percent";
    Json note = NoteOn(*node, json::WriteArguments(metric));
    (*node)["meta"][std::string(kNote)] = std::move(note);
    cubes_.at(cube).measures.push_back(std::move(*node));
    NoteLosses(metric);
  }

  void NoteLosses(const Metric& metric) {
    const std::string object = "metric " + metric.name;
    for (const auto& [member, is_there] :
         {std::pair{"unit", !metric.unit.empty() && metric.unit != "percent"},
          {"owner", !metric.owner.empty()},
          {"time_dimension", !metric.time_dimension.empty()},
          {"time_grains", !metric.time_grains.empty()},
          {"synonyms", metric.synonyms.size() > 1}})
      if (is_there) losses_.Add(object, member, "Cube has no word for it");
  }

  /// The measure without its name and words.
  Result<Json> MeasureOf(const Metric& metric, const std::string& cube, int depth) const {
    constexpr int kDepthMax = 20;
    if (depth > kDepthMax) return Cannot("metrics are nested too deeply");
    switch (metric.type) {
      case MetricType::Simple:
        return SimpleMeasure(metric, cube);
      case MetricType::Ratio:
      case MetricType::Derived:
        return NumberMeasure(metric, cube, depth);
      case MetricType::Cumulative:
        return RollingMeasure(metric, cube);
      case MetricType::Conversion:
        return Cannot("Cube has no conversions");
      case MetricType::PeriodOverPeriod:
        break;
    }
    return Cannot("time shifts of Cube stand in queries of many stages, which are not written");
  }

  Result<Json> SimpleMeasure(const Metric& metric, const std::string& cube) const {
    const std::string_view type = TypeOf(metric.aggregation);
    if (type.empty()) return Cannot("Cube has no measure of this aggregation");
    if (metric.semi_additive) return Cannot("Cube has no measure that does not add up over time");
    Json node = {{"name", ""}, {"type", type}};
    const std::string own = metric.column.empty() ? metric.expression : Spelled(metric.column);
    if (!own.empty()) {
      WARD_TRY(std::string sql, names_.Sql(cube, own));
      node["sql"] = metric.aggregation == Aggregation::SumBoolean
                        ? fmt::format("CASE WHEN {} THEN 1 ELSE 0 END", sql)
                        : std::move(sql);
    }
    for (const std::string& filter : metric.filters) {
      WARD_TRY(std::string sql, names_.Sql(cube, filter));
      node["filters"].push_back({{"sql", std::move(sql)}});
    }
    return node;
  }

  /// Looks at each metric once. Errors: as MeasureOf.
  Status CheckMeasured(const Metric& metric, const std::string& cube, int depth) const {
    auto found = known_.find(metric.name);
    if (found == known_.end()) {
      const auto measure = MeasureOf(metric, cube, depth);
      auto reason = measure ? std::nullopt : std::optional(ReasonOf(measure.error()));
      found = known_.insert_or_assign(metric.name, std::move(reason)).first;
    }
    return found->second ? Status(Cannot(*found->second)) : Ok();
  }

  /// {revenue}, or {order.revenue} from another cube.
  Result<std::string> InputOf(const semantic::MetricInput& input, const std::string& cube,
                              int depth) const {
    const Metric* metric = Find(input.metric);
    const auto place = places_.find(input.metric);
    if (metric == nullptr || place == places_.end())
      return Cannot("metric " + input.metric + " is not there");
    if (!input.filters.empty() || !input.offset.empty())
      return Cannot("measures of Cube are used as they are, not filtered or moved in time");
    const auto& [owner, name] = place->second;
    WARD_CHECK(CheckMeasured(*metric, owner, depth + 1));
    return owner == cube ? fmt::format("{{{}}}", name) : fmt::format("{{{}.{}}}", owner, name);
  }

  Result<Json> NumberMeasure(const Metric& metric, const std::string& cube, int depth) const {
    Json node = {{"name", ""}, {"type", "number"}};
    if (metric.type == MetricType::Ratio) {
      WARD_TRY(const std::string above, InputOf(*metric.numerator, cube, depth));
      WARD_TRY(const std::string below, InputOf(*metric.denominator, cube, depth));
      node["sql"] = fmt::format("1.0 * {} / nullif({}, 0)", above, below);
      return node;
    }
    WARD_TRY(node["sql"],
             PlainSql(metric.expression, [&](const sql::ColumnRef& column) -> Result<std::string> {
               for (const semantic::MetricInput& input : metric.inputs)
                 if (column.column == (input.alias.empty() ? input.metric : input.alias))
                   return InputOf(input, cube, depth);
               return Cannot("\"" + column.column + "\" is none of its inputs");
             }));
    return node;
  }

  Result<Json> RollingMeasure(const Metric& metric, const std::string& cube) const {
    const semantic::MetricInput& input = *metric.input;
    const Metric* base = Find(input.metric);
    if (base == nullptr || base->type != MetricType::Simple || !input.filters.empty() ||
        !input.offset.empty())
      return Cannot("windows of Cube are over a simple measure as it is");
    WARD_TRY(Json node, SimpleMeasure(*base, cube));
    if (!metric.grain_to_date.empty()) {
      node["rolling_window"] = {{"type", "to_date"}, {"granularity", metric.grain_to_date}};
      return node;
    }
    const auto span = semantic::ParseSpan(metric.window);
    node["rolling_window"] = {
        {"trailing", span ? fmt::format("{} {}", span->count, span->unit) : "unbounded"},
        {"offset", "end"}};
    return node;
  }

  const semantic::Definitions& definitions_;
  CubeNames names_;
  std::map<std::string, Parts, std::less<>> cubes_;
  std::map<std::string, std::pair<std::string, std::string>, std::less<>> places_;
  mutable std::map<std::string, std::optional<std::string>, std::less<>> known_;  ///< why not
  Losses losses_;
};

}  // namespace

Exported ExportCube(const semantic::Definitions& definitions, const ExportColumns& columns) {
  Writable writable = WithoutTemplates(definitions);
  return Exporter(writable.definitions, columns, std::move(writable.losses)).Run();
}

}  // namespace schemaward::interchange
