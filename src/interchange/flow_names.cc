#include "interchange/flow_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/ascii.h"
#include "catalog/catalog.h"
#include "interchange/expressions.h"

namespace schemaward::interchange {
namespace {

using semantic::Cardinality;
using semantic::Join;

Error Cannot(std::string_view reason) { return {ErrorKind::SqlSyntax, reason}; }

/// A join as MetricFlow sees it: from the side of the foreign link.
struct Side {
  std::string many, one;  ///< entities
  std::string many_column, one_column;
  std::string role;  ///< what the one side is called from there
  bool is_one_to_one = false;
};

Side SideOf(const Join& join) {
  const semantic::ColumnPair& pair = join.on.front();
  if (join.cardinality == Cardinality::OneToMany)
    return {join.to, join.from, pair.to, pair.from, join.from_role, false};
  return {join.from, join.to,   pair.from,
          pair.to,   join.role, join.cardinality == Cardinality::OneToOne};
}

/// A dimension that does not say its type is time where the entity says so.
ColumnKind KindOf(const semantic::Entity& entity, const semantic::Dimension& dimension) {
  const ColumnKind kind = KindOfType(dimension.type);
  const bool is_time = kind == ColumnKind::Date || kind == ColumnKind::Time;
  return !is_time && entity.default_time_dimension == dimension.name ? ColumnKind::Time : kind;
}

}  // namespace

// Source: the structure rules of dbt's semantic interfaces.
bool IsFlowName(std::string_view name) {
  constexpr std::array<std::string_view, 11> kTaken = {
      "nanosecond", "microsecond", "millisecond", "second",  "minute", "hour",
      "day",        "week",        "month",       "quarter", "year"};
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  return name.size() >= 2 && name.front() >= 'a' && name.front() <= 'z' && name.back() != '_' &&
         std::all_of(name.begin(), name.end(), is_word) &&
         name.find("__") == std::string_view::npos && name != "metric_time" &&
         std::find(kTaken.begin(), kTaken.end(), name) == kTaken.end();
}

const FlowKey* FlowOut::Key(std::string_view name) const {
  for (const FlowKey& key : keys)
    if (key.name == name) return &key;
  return nullptr;
}

const FlowColumn* FlowOut::Column(std::string_view name) const {
  for (const FlowColumn& one : columns)
    if (one.source != nullptr ? one.source->name == name : one.column == name) return &one;
  return nullptr;
}

const FlowColumn* FlowOut::Time() const {
  if (!entity->default_time_dimension.empty()) {
    const FlowColumn* time = Column(entity->default_time_dimension);
    return time != nullptr && time->IsTime() ? time : nullptr;
  }
  const FlowColumn* only = nullptr;
  for (const FlowColumn& one : columns) {
    if (!one.IsTime()) continue;
    if (only != nullptr) return nullptr;
    only = &one;
  }
  return only;
}

FlowNames::FlowNames(const semantic::Definitions& definitions, const ExportColumns& columns) {
  const std::vector<ExportColumn> none;
  for (const semantic::Entity& entity : definitions.entities) {
    if (!IsFlowName(entity.name)) continue;
    const auto known = columns.find(entity.name);
    AddModel(entity, known == columns.end() ? none : known->second);
  }
  for (const Join& join : definitions.joins)
    if (auto reason = AddJoin(join)) refused_.emplace(join.name, std::move(*reason));
}

void FlowNames::AddModel(const semantic::Entity& entity, const std::vector<ExportColumn>& columns) {
  FlowOut model;
  model.entity = &entity;
  model.has_key = entity.identity.size() == 1;
  if (model.has_key) model.keys.push_back({entity.name, entity.identity.front(), "primary"});
  std::set<std::string> taken = {entity.name};
  const auto add = [&](FlowColumn one, const std::string& name) {
    for (const std::string& each : {LowerAscii(name), LowerAscii(name) + "_value"}) {
      if (!IsFlowName(each) || !taken.insert(each).second) continue;
      one.name = each;
      model.columns.push_back(std::move(one));
      return;
    }
  };
  for (const ExportColumn& column : columns)
    add({{}, column.name, nullptr, column.kind}, column.name);
  for (const semantic::Dimension& named : entity.dimensions)
    if (model.Column(named.name) == nullptr)
      add({{}, {}, &named, KindOf(entity, named)}, named.name);
  models_.emplace(entity.name, std::move(model));
}

/// Writes the links of the join into its two models; returns the reason where there are none.
std::optional<std::string> FlowNames::AddJoin(const Join& join) {
  if (join.through || join.cardinality == Cardinality::ManyToMany)
    return "MetricFlow does not join many to many";
  if (join.on.size() != 1) return "links of MetricFlow are one column";
  const Side side = SideOf(join);
  if (side.many == side.one) return "MetricFlow does not join a model with itself";
  const auto many = models_.find(side.many), one = models_.find(side.one);
  if (many == models_.end() || one == models_.end()) return "one of its entities is not written";
  const bool is_key =
      one->second.has_key && one->second.entity->identity.front() == side.one_column;
  std::string link = !side.role.empty() ? LowerAscii(side.role)
                     : is_key           ? side.one
                                        : side.one + "_" + LowerAscii(side.one_column);
  if (!IsFlowName(link)) return "MetricFlow has no such name for a link";
  if (link != side.one && models_.contains(link)) return "its role is the name of another entity";
  if (many->second.Key(link) != nullptr) return "two joins would be one link";
  const auto taken = [](const FlowOut& model, const std::string& name) {
    return std::any_of(model.columns.begin(), model.columns.end(),
                       [&](const FlowColumn& column) { return column.name == name; });
  };
  if (taken(many->second, link) || taken(one->second, link))
    return "its link would have the name of a dimension";
  for (const auto& [name, model] : models_) {
    const FlowKey* other = model.Key(link);
    if (other == nullptr || other->type == "foreign") continue;
    if (name != side.one || other->column != side.one_column)
      return "its link leads elsewhere already";
  }
  if (one->second.Key(link) == nullptr)
    one->second.keys.push_back({link, side.one_column, "unique"});
  many->second.keys.push_back({link, side.many_column, side.is_one_to_one ? "unique" : "foreign"});
  many->second.to.emplace(std::move(link), side.one);
  return std::nullopt;
}

const FlowOut* FlowNames::Find(std::string_view entity) const {
  const auto found = models_.find(entity);
  return found == models_.end() ? nullptr : &found->second;
}

std::optional<std::string> FlowNames::WhyNot(const Join& join) const {
  const auto found = refused_.find(join.name);
  return found == refused_.end() ? std::nullopt : std::optional(found->second);
}

/// The links to the entity, or by the role, joined with __: of the fewest, if it is the only one.
Result<std::string> FlowNames::PathTo(const std::string& entity, const std::string& qualifier,
                                      const FlowOut*& target) const {
  constexpr int kHopsMax = 2;  // what MetricFlow joins over
  std::vector<std::pair<std::string, const FlowOut*>> open = {{"", Find(entity)}};
  for (int hop = 0; hop < kHopsMax; ++hop) {
    std::vector<std::pair<std::string, const FlowOut*>> next;
    std::vector<std::string> found;
    for (const auto& [path, model] : open)
      for (const auto& [link, to] : model->to) {
        std::string longer = path.empty() ? link : path + "__" + link;
        if (link == qualifier || to == qualifier) {
          found.push_back(longer);
          target = Find(to);
        }
        next.emplace_back(std::move(longer), Find(to));
      }
    if (found.size() == 1) return found.front();
    if (found.size() > 1)
      return Cannot(fmt::format("\"{}\" is reached in several ways", qualifier));
    open = std::move(next);
  }
  return Cannot(fmt::format("MetricFlow reaches \"{}\" by no two joins", qualifier));
}

Result<std::string> FlowNames::Reference(const std::string& entity,
                                         const sql::ColumnRef& column) const {
  const FlowOut* model = Find(entity);
  std::string path = entity;
  if (!column.qualifier.empty() && column.qualifier != entity) {
    WARD_TRY(path, PathTo(entity, column.qualifier, model));
  }
  const FlowColumn* dimension = model->Column(column.column);
  if (dimension == nullptr)
    return Cannot(fmt::format("\"{}\" is no dimension that is written", column.column));
  if (!dimension->IsTime())
    return fmt::format("{{{{ Dimension('{}__{}') }}}}", path, dimension->name);
  return fmt::format("{{{{ TimeDimension('{}__{}', '{}') }}}}", path, dimension->name,
                     dimension->grain());
}

Result<std::string> FlowNames::Filter(const std::string& entity, std::string_view text) const {
  return PlainSql(text, [&](const sql::ColumnRef& column) { return Reference(entity, column); });
}

Result<std::string> FlowNames::DimensionSql(const FlowColumn& dimension) {
  if (dimension.source == nullptr) return Spelled(dimension.column);
  return PlainSql(
      dimension.source->expression,
      [](const sql::ColumnRef& column) -> Result<std::string> { return Spelled(column.column); });
}

Result<std::string> FlowNames::Own(const std::string& entity, std::string_view text) const {
  const FlowOut* model = Find(entity);
  return PlainSql(text, [&](const sql::ColumnRef& column) -> Result<std::string> {
    if (!column.qualifier.empty() && column.qualifier != entity)
      return Cannot("MetricFlow measures columns of one model");
    const FlowColumn* dimension = model->Column(column.column);
    if (dimension == nullptr || dimension->source == nullptr) return Spelled(column.column);
    WARD_TRY(const std::string inner, DimensionSql(*dimension));
    return "(" + inner + ")";
  });
}

const FlowColumn* FlowNames::OwnColumn(const std::string& entity, std::string_view text) const {
  const FlowOut* model = Find(entity);
  std::vector<std::string> parts = catalog::SplitName(text);
  if (model == nullptr || parts.empty() || parts.size() > 2) return nullptr;
  if (parts.size() == 2 && parts.front() != entity) return nullptr;
  return model->Column(parts.back());
}

}  // namespace schemaward::interchange
