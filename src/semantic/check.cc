#include "semantic/check.h"

#include <fmt/format.h>

#include "base/ascii.h"
#include "semantic/check_parts.h"
#include "semantic/columns.h"
#include "sql/read/expression.h"
#include "sql/rewrite.h"
#include "text/nearest.h"
#include "time/time_zone.h"

namespace schemaward::semantic {
namespace {

std::vector<std::string> ColumnsOf(const catalog::Table& table) {
  std::vector<std::string> names;
  for (const catalog::Column& column : table.columns) names.push_back(column.name);
  return names;
}

bool CheckColumn(const catalog::Table& table, const std::string& column, std::string_view member,
                 Problems& problems) {
  if (catalog::FindColumn(table, column) != std::string_view::npos) return true;
  AddProblem(
      problems, ErrorKind::SchemaDrift, member, column,
      fmt::format("table \"{}\" has no column \"{}\"", catalog::QualifiedName(table), column),
      text::FindNearestNames(column, ColumnsOf(table), kNearProblems));
  return false;
}

// Every column of an entity's own expression.
void CheckOwnExpression(const ModelEntity& entity, const std::string& text, std::string_view member,
                        Problems& problems) {
  const auto expression = sql::ReadExpression(text);
  if (!expression) {
    AddProblem(problems, ErrorKind::SqlSyntax, member, text, expression.error().message());
    return;
  }
  (void)sql::VisitColumns(*expression, [&](const sql::ColumnRef& ref) -> Status {
    if (ref.qualifier.empty() &&
        catalog::FindColumn(entity.table, ref.column) != std::string_view::npos)
      return Ok();
    AddProblem(problems, ErrorKind::SchemaDrift, member, ref.column,
               fmt::format("table \"{}\" has no column \"{}\"", entity.source_table, ref.column),
               text::FindNearestNames(ref.column, ColumnsOf(entity.table), kNearProblems));
    return Ok();
  });
}

bool IsText(std::string_view type) {
  const std::string lower = LowerAscii(type);
  return lower.find("char") != std::string::npos || lower.find("text") != std::string::npos;
}

// Texts and numbers never meet in a key; engines refuse or convert them, each in its own way.
void CheckPair(const catalog::Table& from, const std::string& from_column, const catalog::Table& to,
               const std::string& to_column, std::string_view member, Problems& problems) {
  // Both are checked, so that both are named.
  const bool from_found = CheckColumn(from, from_column, fmt::format("{}.from", member), problems);
  const bool to_found = CheckColumn(to, to_column, fmt::format("{}.to", member), problems);
  if (!from_found || !to_found) return;
  const std::string& left = from.columns[catalog::FindColumn(from, from_column)].type;
  const std::string& right = to.columns[catalog::FindColumn(to, to_column)].type;
  if ((IsText(left) && IsNumericType(right)) || (IsNumericType(left) && IsText(right)))
    AddProblem(problems, ErrorKind::InvalidArgument, member, from_column,
               fmt::format("\"{}\" is {} and \"{}\" is {}: they cannot be compared", from_column,
                           left, to_column, right));
}

void CheckBridge(const Bridge& bridge, const catalog::Table& from, const catalog::Table& to,
                 const TableFinder& tables, Problems& problems) {
  const catalog::Table* table = tables.Find(bridge.table);
  if (table == nullptr) {
    AddProblem(problems, ErrorKind::SchemaDrift, "through.table", bridge.table,
               fmt::format("the index has no table \"{}\"", bridge.table),
               tables.Near(bridge.table));
    return;
  }
  if (bridge.from.empty() || bridge.to.empty())
    AddProblem(problems, ErrorKind::InvalidArgument, "through", "",
               "a bridge needs column pairs on both sides");
  for (std::size_t i = 0; i < bridge.from.size(); ++i)
    CheckPair(from, bridge.from[i].from, *table, bridge.from[i].to,
              fmt::format("through.from[{}]", i), problems);
  for (std::size_t i = 0; i < bridge.to.size(); ++i)
    CheckPair(*table, bridge.to[i].from, to, bridge.to[i].to, fmt::format("through.to[{}]", i),
              problems);
}

}  // namespace

TableFinder::TableFinder(const std::vector<catalog::Table>& tables) : tables_(tables) {
  for (const catalog::Table& table : tables) {
    by_name_.emplace(LowerAscii(table.name), &table);
    by_name_.emplace(LowerAscii(table.schema + "." + table.name), &table);
  }
}

const catalog::Table* TableFinder::Find(std::string_view name) const {
  const std::vector<std::string> parts = catalog::SplitName(name);
  if (parts.empty() || parts.size() > 2) return nullptr;
  const bool qualified = parts.size() == 2;
  const std::string key = qualified ? LowerAscii(parts[0] + "." + parts[1]) : LowerAscii(parts[0]);
  const auto [begin, end] = by_name_.equal_range(key);
  const catalog::Table* found = nullptr;
  for (auto at = begin; at != end; ++at) {
    const catalog::Table& table = *at->second;
    if (table.name == parts.back() && (!qualified || table.schema == parts.front())) return &table;
    if (found != nullptr) return nullptr;
    found = &table;
  }
  return found;
}

std::vector<std::string> TableFinder::Near(std::string_view name) const {
  text::NearestNames nearest(name, kNearProblems);
  for (const catalog::Table& table : tables_) nearest.Offer(catalog::QualifiedName(table));
  return nearest.Take();
}

void CheckEntity(ModelEntity& entity, const TableFinder& tables) {
  const Entity& definition = entity.definition;
  Problems& problems = entity.problems;
  CheckName(definition.name, "name", problems);
  if (entity.source_table.empty()) {
    AddProblem(problems, ErrorKind::SchemaDrift, "table", definition.table,
               fmt::format("the index has no table \"{}\"", definition.table),
               tables.Near(definition.table));
    return;
  }
  if (definition.identity.empty())
    AddProblem(problems, ErrorKind::InvalidArgument, "identity", "", "an entity needs an identity");
  for (std::size_t i = 0; i < definition.identity.size(); ++i)
    CheckColumn(entity.table, definition.identity[i], fmt::format("identity[{}]", i), problems);
  for (std::size_t i = 0; i < definition.columns.size(); ++i)
    CheckColumn(entity.table, definition.columns[i], fmt::format("columns[{}]", i), problems);
  for (std::size_t i = 0; i < definition.dimensions.size(); ++i) {
    const Dimension& dimension = definition.dimensions[i];
    const std::string member = fmt::format("dimensions[{}]", i);
    CheckName(dimension.name, member + ".name", problems);
    CheckOwnExpression(entity, dimension.expression, member + ".expression", problems);
  }
  const std::string& time = definition.default_time_dimension;
  if (!time.empty() && entity.FindDimension(time) == nullptr)
    CheckColumn(entity.table, time, "default_time_dimension", problems);
  if (!definition.time_zone.empty() && !time::ZoneExists(definition.time_zone))
    AddProblem(problems, ErrorKind::InvalidArgument, "time_zone", definition.time_zone,
               fmt::format("no time zone is named \"{}\"", definition.time_zone),
               time::NearestZones(definition.time_zone));
}

void CheckJoin(const Model& model, const TableFinder& tables, ModelJoin& join) {
  const Join& definition = join.definition;
  Problems& problems = join.problems;
  CheckName(definition.name, "name", problems);
  for (const std::string* role : {&definition.role, &definition.from_role})
    if (!role->empty()) CheckName(*role, "role", problems);
  const auto find = [&](const std::string& name, std::string_view member) -> const ModelEntity* {
    const ModelEntity* entity = model.FindEntity(name);
    if (entity == nullptr || entity->definition.name != name) {
      AddProblem(problems, ErrorKind::UnknownEntity, member, name,
                 fmt::format("no entity is named \"{}\"", name), model.NearEntities(name));
      return nullptr;
    }
    if (entity->source_table.empty())
      AddProblem(problems, ErrorKind::SchemaDrift, member, entity->definition.table,
                 fmt::format("the index has no table \"{}\"", entity->definition.table),
                 tables.Near(entity->definition.table));
    return entity->source_table.empty() ? nullptr : entity;
  };
  const ModelEntity* from = find(definition.from, "from");
  const ModelEntity* to = find(definition.to, "to");
  if (definition.from == definition.to && definition.role.empty())
    AddProblem(problems, ErrorKind::InvalidArgument, "role", "",
               "a join of an entity with itself needs a role");
  if (from == nullptr || to == nullptr) return;
  if (!definition.through) {
    if (definition.on.empty())
      AddProblem(problems, ErrorKind::InvalidArgument, "on", "", "a join needs column pairs");
    for (std::size_t i = 0; i < definition.on.size(); ++i)
      CheckPair(from->table, definition.on[i].from, to->table, definition.on[i].to,
                fmt::format("on[{}]", i), problems);
    return;
  }
  CheckBridge(*definition.through, from->table, to->table, tables, problems);
}

}  // namespace schemaward::semantic
