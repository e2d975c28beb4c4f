#include "interchange/cube_names.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "interchange/expressions.h"

namespace schemaward::interchange {
namespace {

using semantic::Cardinality;

Error Cannot(std::string_view reason) { return {ErrorKind::SqlSyntax, reason}; }

/// A column's name as Cube takes names.
std::string MemberName(const std::string& column) {
  std::string name = column;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0)
    name.insert(0, 1, '_');
  return name;
}

ColumnKind KindOf(const std::vector<ExportColumn>& columns, const std::string& name) {
  for (const ExportColumn& column : columns)
    if (column.name == name) return column.kind;
  return ColumnKind::Text;
}

}  // namespace

std::vector<CubeDimension> CubeDimensionsOf(const semantic::Entity& entity,
                                            const std::vector<ExportColumn>& columns) {
  std::vector<CubeDimension> dimensions;
  std::set<std::string> taken;
  for (const std::string& key : entity.identity)
    if (taken.insert(MemberName(key)).second)
      dimensions.push_back({MemberName(key), key, nullptr, KindOf(columns, key), true});
  for (const ExportColumn& column : columns)
    if (taken.insert(MemberName(column.name)).second)
      dimensions.push_back({MemberName(column.name), column.name, nullptr, column.kind, false});
  for (const semantic::Dimension& named : entity.dimensions)
    if (taken.insert(named.name).second)
      dimensions.push_back({named.name, {}, &named, KindOfType(named.type), false});
  return dimensions;
}

std::pair<std::string, std::string> PairOf(const semantic::Join& join) {
  return std::minmax(join.from, join.to);
}

std::map<std::pair<std::string, std::string>, int> CountPairs(
    const std::vector<semantic::Join>& joins) {
  std::map<std::pair<std::string, std::string>, int> pairs;
  for (const semantic::Join& join : joins) ++pairs[PairOf(join)];
  return pairs;
}

std::optional<std::string> WhyNoCubeJoin(const semantic::Join& join, int pairs) {
  if (join.through || join.cardinality == Cardinality::ManyToMany)
    return "Cube joins many to many through a cube of its own";
  if (join.from == join.to) return "Cube does not join a cube with itself";
  if (pairs > 1) return "Cube has one join between two cubes, and here are several roles";
  return std::nullopt;
}

CubeNames::CubeNames(const semantic::Definitions& definitions, const ExportColumns& columns)
    : definitions_(definitions) {
  const std::vector<ExportColumn> none;
  for (const semantic::Entity& entity : definitions.entities) {
    const auto known = columns.find(entity.name);
    dimensions_[entity.name] =
        CubeDimensionsOf(entity, known == columns.end() ? none : known->second);
  }
  const auto pairs = CountPairs(definitions.joins);
  for (const semantic::Join& join : definitions.joins) {
    if (WhyNoCubeJoin(join, pairs.at(PairOf(join)))) continue;
    if (join.cardinality != Cardinality::OneToMany) to_one_[join.from].insert(join.to);
    if (join.cardinality != Cardinality::ManyToOne) to_one_[join.to].insert(join.from);
  }
}

const semantic::Entity* CubeNames::Find(std::string_view entity) const {
  for (const semantic::Entity& one : definitions_.entities)
    if (one.name == entity) return &one;
  return nullptr;
}

const std::vector<CubeDimension>& CubeNames::DimensionsOf(const std::string& entity) const {
  return dimensions_.at(entity);
}

bool CubeNames::Reaches(const std::string& from, const std::string& to) const {
  std::set<std::string> seen = {from};
  std::vector<std::string> open = {from};
  while (!open.empty()) {
    const std::string at = open.back();
    open.pop_back();
    if (at == to) return true;
    const auto next = to_one_.find(at);
    if (next == to_one_.end()) continue;
    for (const std::string& one : next->second)
      if (seen.insert(one).second) open.push_back(one);
  }
  return false;
}

Result<std::string> CubeNames::Reference(const std::string& cube,
                                         const sql::ColumnRef& column) const {
  const std::string& owner = column.qualifier.empty() ? cube : column.qualifier;
  const semantic::Entity* entity = Find(owner);
  if (entity == nullptr)
    return Cannot(fmt::format("it names \"{}\" by a role, which Cube does not have", owner));
  if (!Reaches(cube, owner))
    return Cannot(
        fmt::format("Cube would reach \"{}\" by a join that multiplies rows, or by none", owner));
  const std::string label = owner == cube ? "CUBE" : owner;
  for (const CubeDimension& dimension : DimensionsOf(owner))
    if (dimension.source != nullptr && dimension.name == column.column)
      return fmt::format("{{{}.{}}}", label, dimension.name);
  return fmt::format("{{{}}}.{}", label, Spelled(column.column));
}

Result<std::string> CubeNames::DimensionSql(const CubeDimension& dimension) {
  if (dimension.source == nullptr) return "{CUBE}." + Spelled(dimension.column);
  return PlainSql(dimension.source->expression,
                  [](const sql::ColumnRef& column) -> Result<std::string> {
                    return "{CUBE}." + Spelled(column.column);
                  });
}

Result<std::string> CubeNames::Sql(const std::string& cube, std::string_view text) const {
  return PlainSql(text, [&](const sql::ColumnRef& column) { return Reference(cube, column); });
}

}  // namespace schemaward::interchange
