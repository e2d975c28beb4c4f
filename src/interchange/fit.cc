#include "interchange/fit.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "interchange/expressions.h"

namespace schemaward::interchange {
namespace {

class Speller {
 public:
  Speller(const semantic::Definitions& definitions, const semantic::Model& model) : model_(model) {
    for (const semantic::Join& join : definitions.joins) {
      if (!join.role.empty()) roles_[join.role] = join.to;
      if (!join.from_role.empty()) roles_[join.from_role] = join.from;
    }
    for (const semantic::Metric& metric : definitions.metrics)
      entity_of_[metric.name] = metric.entity;
  }

  void Spell(semantic::Entity& entity) const {
    for (std::string& column : entity.identity) column = Column(entity.name, column);
    for (std::string& column : entity.columns) column = Column(entity.name, column);
    entity.default_time_dimension = Column(entity.name, entity.default_time_dimension);
    for (semantic::Dimension& dimension : entity.dimensions)
      dimension.expression = Expression(entity.name, dimension.expression);
  }

  void Spell(semantic::Join& join) const {
    for (semantic::ColumnPair& pair : join.on)
      pair = {Column(join.from, pair.from), Column(join.to, pair.to)};
  }

  void Spell(semantic::Metric& metric) const {
    metric.column = Column(metric.entity, metric.column);
    metric.time_dimension = Expression(metric.entity, metric.time_dimension);
    if (metric.type == semantic::MetricType::Simple)
      metric.expression = Expression(metric.entity, metric.expression);
    for (std::string& filter : metric.filters) filter = Expression(metric.entity, filter);
    if (metric.semi_additive)
      for (std::string& column : metric.semi_additive->by) column = Column(metric.entity, column);
    for (auto* input : {&metric.numerator, &metric.denominator, &metric.input})
      if (*input) Spell(**input);
    for (semantic::MetricInput& input : metric.inputs) Spell(input);
    const std::string base = EntityOf(metric.base), conversion = EntityOf(metric.conversion);
    for (semantic::ColumnPair& pair : metric.match)
      pair = {Column(base, pair.from), Column(conversion, pair.to)};
    for (semantic::ConstantProperty& same : metric.constant_properties)
      same = {Column(base, same.base), Column(conversion, same.conversion)};
  }

 private:
  void Spell(semantic::MetricInput& input) const {
    for (std::string& filter : input.filters) filter = Expression(EntityOf(input.metric), filter);
  }

  std::string EntityOf(const std::string& metric) const {
    const auto found = entity_of_.find(metric);
    return found == entity_of_.end() ? std::string() : found->second;
  }

  /// The only column that differs in case alone; the name itself where there is none or several.
  std::string Column(const std::string& entity, const std::string& name) const {
    const semantic::ModelEntity* found = model_.FindEntity(entity);
    if (name.empty() || found == nullptr || found->FindDimension(name) != nullptr ||
        catalog::FindColumn(found->table, name) != std::string_view::npos)
      return name;
    const std::string* same = nullptr;
    for (const catalog::Column& column : found->table.columns) {
      if (!EqualsIgnoringAsciiCase(column.name, name)) continue;
      if (same != nullptr) return name;
      same = &column.name;
    }
    return same == nullptr ? name : *same;
  }

  /// Columns without qualifier are of `entity`; a qualifier is an entity or a role.
  std::string Expression(const std::string& entity, const std::string& text) const {
    if (text.empty()) return text;
    auto spelled = Renamed(text, [&](const sql::ColumnRef& column) {
      const auto role = roles_.find(column.qualifier);
      const std::string& owner = column.qualifier.empty() ? entity
                                 : role == roles_.end()   ? column.qualifier
                                                          : role->second;
      const std::string name = Column(owner, column.column);
      return column.qualifier.empty() ? Spelled(name) : Spelled(column.qualifier, name);
    });
    return spelled ? *std::move(spelled) : text;
  }

  const semantic::Model& model_;
  std::map<std::string, std::string, std::less<>> roles_;
  std::map<std::string, std::string, std::less<>> entity_of_;  ///< by metric
};

}  // namespace

semantic::Definitions WithColumnsAsIndexed(semantic::Definitions definitions,
                                           const semantic::Model& model) {
  const Speller speller(definitions, model);
  for (semantic::Entity& entity : definitions.entities) speller.Spell(entity);
  for (semantic::Join& join : definitions.joins) speller.Spell(join);
  for (semantic::Metric& metric : definitions.metrics) speller.Spell(metric);
  return definitions;
}

}  // namespace schemaward::interchange
