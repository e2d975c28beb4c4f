// The schema that a script sees: what was there before it, and what its own statements make of it.
#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "guard/names.h"
#include "review/names.h"
#include "review/shapes.h"

namespace schemaward::review {
namespace {

using query::ChangeKind;
using query::ConstraintKind;

// Schemas of the engines' own, whose tables no index has.
bool IsSystemSchema(std::string_view schema) {
  return IsOneOf(schema, {"information_schema", "pg_catalog", "pg_toast", "mysql", "sys",
                          "performance_schema", "sqlite_schema", "system", "temp"});
}

bool IsSystemTable(std::string_view name) {
  return name.starts_with("pg_") || name.starts_with("sqlite_") || name.starts_with("duckdb_") ||
         name == "dual";
}

std::vector<std::string> TextsOf(const std::vector<query::Name>& names) {
  std::vector<std::string> texts;
  for (const query::Name& name : names) texts.push_back(name.text);
  return texts;
}

// The texts that `column IN ('a', 'b')` allows; none where it is anything else.
std::vector<std::string> LabelsOf(const query::ColumnDefinition& column) {
  std::vector<std::string> labels;
  if (!column.check || !IsForm(*column.check, "in_list") || Says(*column.check, "NOT"))
    return labels;
  if (!IsColumn(Operand(*column.check, 0))) return labels;
  for (std::size_t i = 1; Operand(*column.check, i) != nullptr; ++i) {
    if (!IsText(Operand(*column.check, i))) return {};
    labels.push_back(Operand(*column.check, i)->value);
  }
  return labels;
}

catalog::Column ColumnOf(const query::ColumnDefinition& definition) {
  catalog::Column column;
  column.name = definition.name.text;
  column.type = definition.type.ToText();
  column.nullable = !definition.is_not_null && !definition.is_primary_key;
  column.is_array = definition.type.is_array;
  if (definition.default_value) column.default_value = "";
  if (definition.is_generated) column.generated = "";
  if (definition.is_counting || definition.type.name.find("SERIAL") != std::string::npos)
    column.identity = "by default";
  column.labels = LabelsOf(definition);
  return column;
}

void AddConstraint(const query::TableConstraint& constraint, catalog::Table& table) {
  catalog::Key key{constraint.name.text, TextsOf(constraint.columns)};
  switch (constraint.kind) {
    case ConstraintKind::PrimaryKey:
      for (const std::string& name : key.columns)
        if (const std::size_t at = catalog::FindColumn(table, name); at < table.columns.size())
          table.columns[at].nullable = false;
      table.primary_key = std::move(key);
      break;
    case ConstraintKind::Unique:
      table.unique_keys.push_back(std::move(key));
      break;
    case ConstraintKind::Index:
      table.indexes.push_back({key.name, key.columns, false, {}, {}});
      break;
    default:
      break;
  }
}

// The table that a definition makes; null where its columns come from elsewhere.
std::unique_ptr<catalog::Table> TableOf(const query::Change& change) {
  if (change.kind != ChangeKind::CreateTable || change.query || change.definitions.empty())
    return nullptr;
  auto table = std::make_unique<catalog::Table>();
  const auto& names = change.target->names;
  table->name = names.back().text;
  if (names.size() > 1) table->schema = names[names.size() - 2].text;
  for (const query::ColumnDefinition& definition : change.definitions) {
    table->columns.push_back(ColumnOf(definition));
    if (definition.is_primary_key) table->primary_key = catalog::Key{"", {definition.name.text}};
    if (definition.is_unique) table->unique_keys.push_back({"", {definition.name.text}});
  }
  for (const query::TableConstraint& constraint : change.constraints)
    AddConstraint(constraint, *table);
  return table;
}

std::string KeyOf(const std::vector<query::Name>& names) {
  return names.empty() ? std::string() : LowerAscii(names.back().text);
}

}  // namespace

ScriptSchema::Found ScriptSchema::Find(const std::vector<query::Name>& names,
                                       const sql::Dialect& dialect) {
  if (names.empty() || failure_) return {true, nullptr};
  const query::Name& name = names.back();
  const std::string lowered = LowerAscii(name.text);
  if (const auto own = own_.find(lowered); own != own_.end()) return {true, own->second.get()};
  if (IsSystemTable(lowered)) return {true, nullptr};
  std::optional<std::string> schema;
  if (names.size() > 1) {
    schema = names[names.size() - 2].text;
    if (names.size() > 2 || IsSystemSchema(LowerAscii(*schema))) return {true, nullptr};
  }
  const std::string key = (schema ? *schema : "") + '\0' + name.text + (name.is_quoted ? "\"" : "");
  const auto [at, is_new] = seen_.try_emplace(key);
  if (is_new) at->second = FindBefore(schema, name, dialect);
  Found found = at->second;
  if (!found.is_there && path_changed_) found.is_there = true;
  return found;
}

ScriptSchema::Found ScriptSchema::FindBefore(const std::optional<std::string>& schema,
                                             const query::Name& name, const sql::Dialect& dialect) {
  const auto found = before_.Find(schema, name.text);
  if (!found) {
    failure_ = found.error();
    return {true, nullptr};
  }
  std::vector<const catalog::Table*> meant;
  for (const catalog::Table* table : *found)
    if (guard::Means(name, table->name, dialect)) meant.push_back(table);
  if (meant.empty()) return {};
  if (meant.size() > 1)
    std::erase_if(meant, [&](const catalog::Table* table) {
      return !guard::FoldsTo(table->schema, dialect.default_schema);
    });
  // A table without columns stands for one of which nothing may be said.
  if (meant.size() != 1 || meant.front()->columns.empty()) return {true, nullptr};
  return {true, meant.front()};
}

void ScriptSchema::Create(const query::Change& change, const sql::Dialect& dialect) {
  if (!change.target) return;
  const std::string key = KeyOf(change.target->names);
  if (change.if_exists && Find(change.target->names, dialect).is_there) return;
  own_[key] = TableOf(change);
}

std::vector<catalog::Table> ScriptSchema::Defined() const {
  std::vector<catalog::Table> tables;
  for (const auto& [name, table] : own_)
    if (table) tables.push_back(*table);
  return tables;
}

void ScriptSchema::Apply(const query::Change& change, const sql::Dialect& dialect) {
  const auto forget = [&](const std::vector<query::Name>& names) {
    if (!names.empty()) own_[KeyOf(names)] = nullptr;
  };
  switch (change.kind) {
    case ChangeKind::CreateTable:
    case ChangeKind::CreateView:
      Create(change, dialect);
      break;
    case ChangeKind::CreateIndex:
      if (change.target && !change.columns.empty())
        if (const auto own = own_.find(KeyOf(change.target->names));
            own != own_.end() && own->second)
          own->second->indexes.push_back({"", TextsOf(change.columns), change.is_unique, {}, {}});
      break;
    case ChangeKind::Alter:
      if (change.target) forget(change.target->names);
      for (const auto& object : change.objects) forget(object);
      for (const query::AlterAction& action : change.actions)
        if (action.kind == query::AlterKind::Rename) path_changed_ = true;
      break;
    case ChangeKind::Drop:
      for (const auto& object : change.objects) forget(object);
      break;
    case ChangeKind::Other:
    case ChangeKind::CreateRoutine:
      // USE, SET search_path, ATTACH and what is not looked into may change what a name means.
      if (!change.words.empty() && !IsOneOf(change.words.front(), {"ANALYZE", "VACUUM", "COMMENT",
                                                                   "EXPLAIN", "REINDEX", "LOCK"}))
        path_changed_ = true;
      break;
    default:
      break;
  }
}

}  // namespace schemaward::review
