#include "semantic/columns.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/ascii.h"
#include "text/nearest.h"

namespace schemaward::semantic {
namespace {

constexpr std::size_t kNear = 3;
constexpr std::size_t kEntitiesSearched = 5'000;

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool StartsWith(std::string_view text, std::string_view part) {
  return text.substr(0, part.size()) == part;
}

// An entity under the name by which columns call it.
struct Place {
  const ModelEntity* entity;
  std::string prefix;
  std::string role;
};

std::vector<Place> PlacesOfRole(const Model& model, std::string_view role) {
  std::vector<Place> places;
  for (std::size_t node = 0; node < model.nodes().size(); ++node)
    for (const Leg& leg : model.LegsFrom(node)) {
      if (leg.role.empty() || !EqualsIgnoringAsciiCase(leg.role, role)) continue;
      const auto entity = model.nodes()[leg.to].entity;
      if (!entity) continue;
      const ModelEntity* found = &model.entities()[*entity];
      const bool seen = std::any_of(places.begin(), places.end(),
                                    [&](const Place& place) { return place.entity == found; });
      if (!seen) places.push_back({found, leg.role, leg.role});
    }
  return places;
}

bool NamesTable(const ModelEntity& entity, std::string_view prefix) {
  const std::string table = LowerAscii(entity.source_table);
  const std::string wanted = LowerAscii(prefix);
  return !table.empty() && (table == wanted || LowerAscii(entity.table.name) == wanted);
}

std::vector<Place> PlacesOf(const Model& model, std::string_view prefix) {
  for (const ModelEntity& entity : model.entities())
    if (entity.definition.name == prefix) return {{&entity, entity.definition.name, ""}};
  std::vector<Place> places = PlacesOfRole(model, prefix);
  if (!places.empty()) return places;
  if (const ModelEntity* entity = model.FindEntity(prefix))
    return {{entity, entity->definition.name, ""}};
  for (const ModelEntity& entity : model.entities())
    if (NamesTable(entity, prefix)) places.push_back({&entity, entity.definition.name, ""});
  return places.size() == 1 ? places : std::vector<Place>();
}

std::optional<ColumnTarget> In(const Model& model, const Place& place, std::string_view column) {
  const ModelEntity& entity = *place.entity;
  ColumnTarget target;
  target.column = entity.Column(column);
  target.dimension = entity.FindDimension(column);
  if (target.column == nullptr && target.dimension == nullptr) {
    const std::string folded = LowerAscii(column);
    std::vector<std::string> fits;
    for (const std::string& name : entity.ColumnNames())
      if (LowerAscii(name) == folded) fits.push_back(name);
    if (fits.size() != 1) return std::nullopt;
    target.column = entity.Column(fits.front());
    target.dimension = entity.FindDimension(fits.front());
  }
  if (target.column != nullptr) target.dimension = nullptr;
  target.entity = &entity;
  target.node = model.NodeOf(entity);
  target.role = place.role;
  target.name = place.prefix + "." + catalog::QuoteName(target.own_name());
  return target;
}

std::vector<std::string> Prefixed(const std::string& prefix,
                                  const std::vector<std::string>& names) {
  std::vector<std::string> full;
  full.reserve(names.size());
  for (const std::string& name : names) full.push_back(prefix + "." + catalog::QuoteName(name));
  return full;
}

Error NoColumn(const Place& place, std::string_view column, ErrorKind kind) {
  Error error(kind, fmt::format("entity \"{}\" has no column \"{}\"", place.entity->definition.name,
                                column));
  error.Near(
      Prefixed(place.prefix, text::FindNearestNames(column, place.entity->ColumnNames(), kNear)));
  return error;
}

// The nearest column in each of the nearest entities.
Error NoEntity(const Model& model, std::string_view prefix, std::string_view column) {
  Error error(ErrorKind::UnknownEntity, fmt::format("no entity or role is called \"{}\"", prefix));
  std::vector<std::string> near;
  for (const std::string& name : model.NearEntities(prefix)) {
    const ModelEntity* entity = model.FindEntity(name);
    if (entity == nullptr) continue;
    for (std::string& full :
         Prefixed(name, text::FindNearestNames(column, entity->ColumnNames(), 1)))
      near.push_back(std::move(full));
  }
  error.Near(std::move(near));
  return error;
}

Result<ColumnTarget> FindAlone(const Model& model, std::size_t fact, const std::string& column,
                               ErrorKind kind) {
  const ModelEntity& own = model.entities()[*model.nodes()[fact].entity];
  if (auto target = In(model, {&own, own.definition.name, ""}, column)) return *target;
  std::vector<ColumnTarget> fits;
  std::size_t searched = 0;
  for (const ModelEntity& entity : model.entities()) {
    if (++searched > kEntitiesSearched) break;
    if (auto target = In(model, {&entity, entity.definition.name, ""}, column))
      fits.push_back(*std::move(target));
  }
  if (fits.size() == 1) return fits.front();
  if (fits.empty()) {
    if (const auto places = PlacesOf(model, column); !places.empty())
      return Error(ErrorKind::MalformedName,
                   fmt::format("\"{}\" names an entity, not a column", column))
          .Near(Prefixed(places.front().prefix, places.front().entity->ColumnNames()));
    return NoColumn({&own, own.definition.name, ""}, column, kind);
  }
  Error error(ErrorKind::MalformedName,
              fmt::format("column \"{}\" is in {} entities", column, fits.size()));
  std::vector<std::string> near;
  for (const ColumnTarget& fit : fits) near.push_back(fit.name);
  error.Near(std::move(near));
  return error;
}

}  // namespace

const std::string& ColumnTarget::own_name() const {
  return column != nullptr ? column->name : dimension->name;
}

const std::string& ColumnTarget::type() const {
  return column != nullptr ? column->type : dimension->type;
}

Result<ColumnTarget> FindColumnTarget(const Model& model, std::size_t fact, std::string_view text,
                                      ErrorKind kind) {
  std::vector<std::string> parts = catalog::SplitName(text);
  if (parts.empty())
    return Error(ErrorKind::MalformedName,
                 fmt::format("\"{}\" is not of the form entity.column", text));
  if (parts.size() == 1) return FindAlone(model, fact, parts.front(), kind);
  const std::string column = parts.back();
  parts.pop_back();
  std::string prefix = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) prefix += "." + parts[i];
  const std::vector<Place> places = PlacesOf(model, prefix);
  for (const Place& place : places)
    if (auto target = In(model, place, column)) return *std::move(target);
  if (!places.empty()) return NoColumn(places.front(), column, kind);
  return NoEntity(model, prefix, column);
}

std::optional<sql::TimeKind> TimeKindOf(std::string_view type) {
  const std::string lower = LowerAscii(type);
  const bool zoned = Contains(lower, "with time zone") || StartsWith(lower, "timestamptz");
  if (StartsWith(lower, "timestamp") || StartsWith(lower, "datetime"))
    return zoned || StartsWith(lower, "datetimeoffset") ? sql::TimeKind::Instant
                                                        : sql::TimeKind::Naive;
  if (lower == "date") return sql::TimeKind::Date;
  return std::nullopt;
}

bool IsNumericType(std::string_view type) {
  const std::string lower = LowerAscii(type);
  if (Contains(lower, "[") || Contains(lower, "array")) return false;
  for (const std::string_view word :
       {"int", "numeric", "decimal", "real", "double", "float", "number", "money", "serial"})
    if (Contains(lower, word) && !Contains(lower, "interval") && !Contains(lower, "point"))
      return true;
  return false;
}

std::vector<std::string> TimeColumnsOf(const ModelEntity& entity) {
  const Entity& definition = entity.definition;
  const std::string prefix = definition.name + ".";
  if (!definition.default_time_dimension.empty())
    return {prefix + catalog::QuoteName(definition.default_time_dimension)};
  std::vector<std::string> names;
  for (const catalog::Column& column : entity.table.columns)
    if (TimeKindOf(column.type) && entity.Column(column.name) != nullptr)
      names.push_back(prefix + catalog::QuoteName(column.name));
  for (const Dimension& dimension : definition.dimensions)
    if (TimeKindOf(dimension.type)) names.push_back(prefix + catalog::QuoteName(dimension.name));
  return names;
}

}  // namespace schemaward::semantic
