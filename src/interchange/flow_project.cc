#include "interchange/flow_project.h"

#include <algorithm>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "catalog/catalog.h"
#include "interchange/expressions.h"
#include "json/access.h"

namespace schemaward::interchange {
namespace {

using json::ItemsOf;
using json::Member;
using json::TextOf;
using json::Value;

LinkKind KindOf(std::string_view type) {
  if (type == "primary") return LinkKind::Primary;
  if (type == "unique") return LinkKind::Unique;
  return type == "natural" ? LinkKind::Natural : LinkKind::Foreign;
}

FlowLink ReadLink(const Value& node) {
  FlowLink link;
  link.name = TextOf(node, "name");
  link.kind = KindOf(TextOf(node, "type"));
  const std::string expression = TextOf(node, "expr");
  link.column = expression.empty() ? link.name : PlainColumn(expression);
  return link;
}

/// date_trunc('day', x), as most projects write it, is CAST(x AS date).
std::string OwnForm(const std::string& expression) {
  constexpr std::string_view kDay = "date_trunc('day',";
  const std::string lowered = LowerAscii(expression);
  if (lowered.rfind(kDay, 0) != 0 || lowered.back() != ')') return expression;
  return "CAST(" + expression.substr(kDay.size(), expression.size() - kDay.size() - 1) +
         " AS date)";
}

FlowDimension ReadDimension(const Value& node) {
  FlowDimension dimension;
  dimension.name = TextOf(node, "name");
  dimension.node = &node;
  const std::string written = TextOf(node, "expr");
  dimension.column = written.empty() ? dimension.name : PlainColumn(written);
  if (!dimension.column) {
    auto expression = Normalized(OwnForm(written));
    if (!expression)
      dimension.problem = ReasonOf(expression.error());
    else if (!semantic::IsDefinitionName(dimension.name))
      dimension.problem = "it is no name that definitions may have";
    else
      dimension.expression = std::move(*expression);
  }
  dimension.is_time = TextOf(node, "type") == "time";
  dimension.grain = LowerAscii(TextOf(Member(node, {"type_params", "time_granularity"})));
  return dimension;
}

/// The last quoted word of ref('orders'), or nothing.
std::string RefName(const std::string& reference) {
  const std::size_t end = reference.find_last_of("'\"");
  if (end == std::string::npos || end == 0) return {};
  const std::size_t begin = reference.find_last_of("'\"", end - 1);
  return begin == std::string::npos ? std::string() : reference.substr(begin + 1, end - begin - 1);
}

std::string TableOf(const Value& node) {
  const std::string alias = TextOf(Member(node, {"node_relation", "alias"}));
  const std::string schema = TextOf(Member(node, {"node_relation", "schema_name"}));
  if (!alias.empty())
    return schema.empty() ? catalog::QuoteName(alias) : catalog::QualifiedName(schema, alias);
  const std::string name = RefName(TextOf(node, "model"));
  return name.empty() ? name : catalog::QuoteName(name);
}

FlowModel ReadModel(const Value& node) {
  FlowModel model;
  model.name = TextOf(node, "name");
  model.node = &node;
  model.table = TableOf(node);
  model.default_time = TextOf(Member(node, {"defaults", "agg_time_dimension"}));
  for (const Value* link : ItemsOf(Member(node, "entities")))
    model.links.push_back(ReadLink(*link));
  for (const Value* dimension : ItemsOf(Member(node, "dimensions")))
    model.dimensions.push_back(ReadDimension(*dimension));
  model.primary = TextOf(node, "primary_entity");
  for (const FlowLink& link : model.links)
    if (link.kind == LinkKind::Primary && model.primary.empty()) model.primary = link.name;
  return model;
}

/// An entity is called as the primary link is, where only one model has that, else as the model.
void NameEntities(FlowProject& project, Losses& losses) {
  std::map<std::string, int> count;
  for (const FlowModel& model : project.models) ++count[model.primary];
  std::set<std::string> taken;
  for (FlowModel& model : project.models) {
    model.entity = !model.primary.empty() && count[model.primary] == 1 ? model.primary : model.name;
    if (taken.contains(model.entity)) model.entity = model.name;
    if (semantic::IsDefinitionName(model.entity) && taken.insert(model.entity).second) continue;
    losses.Drop("semantic model " + model.name, {}, "no entity can be named after it");
    model.entity.clear();
  }
}

void ReadFile(const SourceFile& file, FlowProject& project, std::set<std::string>& models,
              Losses& losses) {
  const Value& content = file.content.value();
  for (const Value* node : ItemsOf(Member(content, "semantic_models"))) {
    FlowModel model = ReadModel(*node);
    if (models.insert(model.name).second)
      project.models.push_back(std::move(model));
    else
      losses.Drop("semantic model " + model.name, {}, "it is there twice; the first is read");
  }
  for (const Value* node : ItemsOf(Member(content, "metrics"))) {
    const std::string name = TextOf(*node, "name");
    if (!semantic::IsDefinitionName(name))
      losses.Drop("metric " + name, "name", "it is no name that definitions may have");
    else if (!project.metrics.emplace(name, node).second)
      losses.Drop("metric " + name, {}, "it is there twice; the first is read");
  }
  for (const Value* node : ItemsOf(Member(content, "models")))
    if (!Member(*node, "semantic_model").is_null())
      losses.Drop("model " + TextOf(*node, "name"), "semantic_model",
                  "semantic models inside of models are not read from YAML; run `dbt parse` and "
                  "import semantic_manifest.json");
  if (!ItemsOf(Member(content, "saved_queries")).empty())
    losses.Add("project", "saved_queries", "definitions hold no queries");
}

}  // namespace

const FlowLink* FlowModel::Link(std::string_view link) const {
  for (const FlowLink& one : links)
    if (one.name == link) return &one;
  return nullptr;
}

const FlowDimension* FlowModel::Dimension(std::string_view dimension) const {
  for (const FlowDimension& one : dimensions)
    if (one.name == dimension) return &one;
  return nullptr;
}

FlowProject ReadFlow(const std::vector<SourceFile>& files, Losses& losses) {
  FlowProject project;
  std::set<std::string> names;
  for (const SourceFile& file : files) ReadFile(file, project, names, losses);
  std::sort(project.models.begin(), project.models.end(),
            [](const FlowModel& a, const FlowModel& b) { return a.name < b.name; });
  NameEntities(project, losses);
  for (std::size_t i = 0; i < project.models.size(); ++i)
    for (const Value* node : ItemsOf(Member(*project.models[i].node, "measures")))
      if (!project.measures.emplace(TextOf(*node, "name"), FlowMeasure{i, node}).second)
        losses.Drop("measure " + TextOf(*node, "name"), {}, "it is there twice; the first is read");
  return project;
}

std::vector<std::string> FiltersOf(const Value& filter) {
  const Value& inner = Member(filter, "where_filters");
  std::vector<std::string> filters;
  for (const Value* item : ItemsOf(inner.is_null() ? filter : inner))
    filters.push_back(item->is_object() ? TextOf(*item, "where_sql_template") : TextOf(*item));
  return filters;
}

semantic::Trust FlowTrust() {
  semantic::Trust trust;
  trust.method = semantic::Method::DbtImport;
  trust.state = semantic::State::Applied;
  return trust;
}

}  // namespace schemaward::interchange
