// DROP, RENAME and SET SCHEMA of tables, views, indexes, types and schemas.
#include <algorithm>

#include <pg_query/pg_query.pb-c.h>

#include "connect/ddl/apply.h"

namespace schemaward::connect::ddl {
namespace {

struct Split {
  std::string schema;  ///< may be empty
  std::string name;
};

Split SplitNames(const std::vector<std::string>& names) {
  Split split;
  if (!names.empty()) split.name = names.back();
  if (names.size() > 1) split.schema = names[names.size() - 2];
  return split;
}

/// Foreign keys to a table that is gone are left out at the end, and so are its partitions.
void DropSchema(std::string_view schema, SchemaState& state) {
  std::vector<Relation*> gone;
  for (const auto& relation : state.relations()) {
    if (!relation->IsGone() && relation->schema == schema) gone.push_back(relation.get());
  }
  for (Relation* relation : gone) state.DropRelation(*relation);
}

void DropIndex(const Split& names, SchemaState& state) {
  Relation* owner = state.FindIndexOwner(names.schema, names.name);
  if (owner == nullptr) return;
  const auto named = [&](const auto& object) { return object.name == names.name; };
  std::erase_if(owner->indexes, named);
  std::erase_if(owner->unique_keys, named);
}

/// RENAME CONSTRAINT of those that no index stands behind.
void RenameIn(Relation& relation, std::string_view from, std::string_view to) {
  const auto rename = [&](auto& object) {
    if (object.name == from) object.name = std::string(to);
  };
  for (ForeignKeyState& key : relation.foreign_keys) rename(key);
  for (CheckState& check : relation.checks) rename(check);
}

Status Move(Relation& relation, std::string_view schema, std::string_view name,
            SchemaState& state) {
  if (state.FindRelation(schema, name) != nullptr) return CreatedTwice(schema, name);
  state.MoveRelation(relation, schema, name);
  return Ok();
}

Status RenameRelation(const PgQuery__RenameStmt& rename, SchemaState& state) {
  const std::string_view schema = View(rename.relation->schemaname);
  const std::string_view name = View(rename.relation->relname);
  Relation* relation = state.FindRelation(schema, name);
  if (relation != nullptr) return Move(*relation, relation->schema, View(rename.newname), state);
  if (Relation* owner = state.FindIndexOwner(schema, name)) {
    state.RenameIndex(*owner, name, View(rename.newname));
    return Ok();
  }
  // ALTER TABLE serves sequences too.
  return Ok();
}

Status RenameColumn(const PgQuery__RenameStmt& rename, SchemaState& state) {
  if (rename.relation == nullptr) return Ok();
  Relation* relation = FindRelation(*rename.relation, state);
  if (relation == nullptr)
    return rename.missing_ok != 0 ? Ok()
                                  : Status(NotCreated("table", View(rename.relation->schemaname),
                                                      View(rename.relation->relname)));
  const std::size_t at = relation->Find(View(rename.subname));
  if (at == kNoColumn) return NoSuchColumn(*relation, View(rename.subname));
  if (relation->Find(View(rename.newname)) != kNoColumn)
    return TwoColumns(*relation, View(rename.newname));
  relation->columns[at].column.name = View(rename.newname);
  return Ok();
}

void RenameSchema(std::string_view from, std::string_view to, SchemaState& state) {
  std::vector<Relation*> inside;
  for (const auto& relation : state.relations()) {
    if (!relation->IsGone() && relation->schema == from) inside.push_back(relation.get());
  }
  for (Relation* relation : inside) {
    if (state.FindRelation(to, relation->name) == nullptr)
      state.MoveRelation(*relation, to, relation->name);
  }
  state.MoveTypes(from, to);
}

}  // namespace

Status ApplyDrop(const Node* statement, SchemaState& state) {
  const PgQuery__DropStmt& drop = *statement->drop_stmt;
  for (std::size_t i = 0; i < drop.n_objects; ++i) {
    const Split names = SplitNames(NamesOf(drop.objects[i]));
    switch (drop.remove_type) {
      case PG_QUERY__OBJECT_TYPE__OBJECT_TABLE:
      case PG_QUERY__OBJECT_TYPE__OBJECT_VIEW:
      case PG_QUERY__OBJECT_TYPE__OBJECT_MATVIEW:
      case PG_QUERY__OBJECT_TYPE__OBJECT_FOREIGN_TABLE:
        if (Relation* relation = state.FindRelation(names.schema, names.name))
          state.DropRelation(*relation);
        break;
      case PG_QUERY__OBJECT_TYPE__OBJECT_TYPE:
      case PG_QUERY__OBJECT_TYPE__OBJECT_DOMAIN:
        if (UserType* type = state.FindType(names.schema, names.name)) state.DropType(*type);
        break;
      case PG_QUERY__OBJECT_TYPE__OBJECT_INDEX:
        DropIndex(names, state);
        break;
      case PG_QUERY__OBJECT_TYPE__OBJECT_SCHEMA:
        DropSchema(names.name, state);
        break;
      default:
        break;
    }
  }
  return Ok();
}

Status ApplyRename(const Node* statement, SchemaState& state) {
  const PgQuery__RenameStmt& rename = *statement->rename_stmt;
  switch (rename.rename_type) {
    case PG_QUERY__OBJECT_TYPE__OBJECT_TABLE:
    case PG_QUERY__OBJECT_TYPE__OBJECT_VIEW:
    case PG_QUERY__OBJECT_TYPE__OBJECT_MATVIEW:
    case PG_QUERY__OBJECT_TYPE__OBJECT_FOREIGN_TABLE:
    case PG_QUERY__OBJECT_TYPE__OBJECT_INDEX:
      return rename.relation == nullptr ? Ok() : RenameRelation(rename, state);
    case PG_QUERY__OBJECT_TYPE__OBJECT_COLUMN:
      return RenameColumn(rename, state);
    case PG_QUERY__OBJECT_TYPE__OBJECT_TABCONSTRAINT:
      if (Relation* relation =
              rename.relation == nullptr ? nullptr : FindRelation(*rename.relation, state)) {
        RenameIn(*relation, View(rename.subname), View(rename.newname));
        state.RenameIndex(*relation, View(rename.subname), View(rename.newname));
      }
      return Ok();
    case PG_QUERY__OBJECT_TYPE__OBJECT_TYPE:
    case PG_QUERY__OBJECT_TYPE__OBJECT_DOMAIN: {
      const Split names = SplitNames(NamesOf(rename.object));
      if (UserType* type = state.FindType(names.schema, names.name))
        state.MoveType(*type, type->schema, View(rename.newname));
      return Ok();
    }
    case PG_QUERY__OBJECT_TYPE__OBJECT_SCHEMA:
      RenameSchema(View(rename.subname), View(rename.newname), state);
      return Ok();
    default:
      return Ok();
  }
}

Status ApplySetSchema(const Node* statement, SchemaState& state) {
  const PgQuery__AlterObjectSchemaStmt& alter = *statement->alter_object_schema_stmt;
  if (alter.relation != nullptr) {
    Relation* relation = FindRelation(*alter.relation, state);
    if (relation == nullptr || relation->schema == View(alter.newschema)) return Ok();
    return Move(*relation, View(alter.newschema), relation->name, state);
  }
  if (alter.object_type != PG_QUERY__OBJECT_TYPE__OBJECT_TYPE &&
      alter.object_type != PG_QUERY__OBJECT_TYPE__OBJECT_DOMAIN)
    return Ok();
  const Split names = SplitNames(NamesOf(alter.object));
  if (UserType* type = state.FindType(names.schema, names.name))
    state.MoveType(*type, View(alter.newschema), type->name);
  return Ok();
}

}  // namespace schemaward::connect::ddl
