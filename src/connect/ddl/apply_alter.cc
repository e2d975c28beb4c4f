// ALTER TABLE (and VIEW, FOREIGN TABLE, INDEX in its spelling).
#include <algorithm>

#include <pg_query/pg_query.pb-c.h>

#include "connect/ddl/apply.h"
#include "connect/ddl/names.h"
#include "connect/ddl/remote.h"
#include "connect/ddl/type_name.h"

namespace schemaward::connect::ddl {
namespace {

/// Commands that change nothing that a catalog shows.
bool IsSilent(PgQuery__AlterTableType type) {
  switch (type) {
    case PG_QUERY__ALTER_TABLE_TYPE__AT_AddColumn:
    case PG_QUERY__ALTER_TABLE_TYPE__AT_ColumnDefault:
    case PG_QUERY__ALTER_TABLE_TYPE__AT_DropNotNull:
    case PG_QUERY__ALTER_TABLE_TYPE__AT_SetNotNull:
    case PG_QUERY__ALTER_TABLE_TYPE__AT_DropExpression:
    case PG_QUERY__ALTER_TABLE_TYPE__AT_DropColumn:
    case PG_QUERY__ALTER_TABLE_TYPE__AT_AddConstraint:
    case PG_QUERY__ALTER_TABLE_TYPE__AT_DropConstraint:
    case PG_QUERY__ALTER_TABLE_TYPE__AT_AlterColumnType:
    case PG_QUERY__ALTER_TABLE_TYPE__AT_AddInherit:
    case PG_QUERY__ALTER_TABLE_TYPE__AT_DropInherit:
    case PG_QUERY__ALTER_TABLE_TYPE__AT_GenericOptions:
    case PG_QUERY__ALTER_TABLE_TYPE__AT_AlterColumnGenericOptions:
    case PG_QUERY__ALTER_TABLE_TYPE__AT_AttachPartition:
    case PG_QUERY__ALTER_TABLE_TYPE__AT_DetachPartition:
    case PG_QUERY__ALTER_TABLE_TYPE__AT_AddIdentity:
    case PG_QUERY__ALTER_TABLE_TYPE__AT_SetIdentity:
    case PG_QUERY__ALTER_TABLE_TYPE__AT_DropIdentity:
      return false;
    default:
      return true;
  }
}

bool Uses(const Positions& positions, std::size_t at) {
  return std::find(positions.begin(), positions.end(), at) != positions.end();
}

bool Uses(const IndexState& index, std::size_t at) {
  return std::any_of(index.parts.begin(), index.parts.end(),
                     [&](const IndexPart& part) { return part.column == at; });
}

/// A column goes with the keys, indexes and checks that are over it.
Status DropColumn(const PgQuery__AlterTableCmd& command, Relation& relation) {
  const std::size_t at = relation.Find(View(command.name));
  if (at == kNoColumn)
    return command.missing_ok != 0 ? Ok() : Status(NoSuchColumn(relation, View(command.name)));
  relation.columns[at].dropped = true;
  if (relation.primary_key && Uses(relation.primary_key->columns, at)) relation.primary_key.reset();
  std::erase_if(relation.unique_keys, [&](const KeyState& k) { return Uses(k.columns, at); });
  std::erase_if(relation.foreign_keys,
                [&](const ForeignKeyState& k) { return Uses(k.columns, at); });
  std::erase_if(relation.indexes, [&](const IndexState& i) { return Uses(i, at); });
  std::erase_if(relation.checks, [&](const CheckState& c) { return c.column == at; });
  return Ok();
}

Status DropConstraint(const PgQuery__AlterTableCmd& command, Relation& relation) {
  const std::string_view name = View(command.name);
  const auto named = [&](const auto& object) { return object.name == name; };
  if (relation.primary_key && relation.primary_key->name == name) relation.primary_key.reset();
  std::erase_if(relation.unique_keys, named);
  std::erase_if(relation.foreign_keys, named);
  std::erase_if(relation.checks, named);
  std::erase_if(relation.indexes,
                [&](const IndexState& i) { return i.backs_constraint && named(i); });
  return Ok();
}

Status AlterColumnType(const PgQuery__AlterTableCmd& command, ColumnState& column,
                       SchemaState& state) {
  if (command.def == nullptr || command.def->node_case != PG_QUERY__NODE__NODE_COLUMN_DEF)
    return Ok();
  column.type = ReadType(command.def->column_def->type_name, state);
  return Ok();
}

void AddIdentity(const PgQuery__AlterTableCmd& command, catalog::Column& column) {
  if (command.def != nullptr && command.def->node_case == PG_QUERY__NODE__NODE_CONSTRAINT)
    column.identity =
        View(command.def->constraint->generated_when) == "a" ? "always" : "by default";
}

/// SET GENERATED of an identity column.
void SetIdentity(const PgQuery__AlterTableCmd& command, catalog::Column& column) {
  if (command.def == nullptr || command.def->node_case != PG_QUERY__NODE__NODE_LIST) return;
  for (std::size_t i = 0; i < command.def->list->n_items; ++i) {
    const Node* item = command.def->list->items[i];
    if (item->node_case != PG_QUERY__NODE__NODE_DEF_ELEM) continue;
    const PgQuery__DefElem& option = *item->def_elem;
    if (View(option.defname) != "generated" || option.arg == nullptr ||
        option.arg->node_case != PG_QUERY__NODE__NODE_INTEGER)
      continue;
    column.identity = option.arg->integer->ival == 'a' ? "always" : "by default";
  }
}

struct OptionList {
  std::size_t count = 0;
  Node* const* options = nullptr;
};

/// The list of OPTIONS (...).
OptionList OptionsOf(const PgQuery__AlterTableCmd& command) {
  if (command.def == nullptr || command.def->node_case != PG_QUERY__NODE__NODE_LIST) return {};
  return {command.def->list->n_items, command.def->list->items};
}

/// Commands about one column that is there.
Status AlterColumn(const PgQuery__AlterTableCmd& command, Relation& relation, SchemaState& state) {
  const std::size_t at = relation.Find(View(command.name));
  if (at == kNoColumn)
    return relation.columns_known ? Status(NoSuchColumn(relation, View(command.name))) : Ok();
  ColumnState& column = relation.columns[at];
  switch (command.subtype) {
    case PG_QUERY__ALTER_TABLE_TYPE__AT_ColumnDefault:
      column.column.default_value.reset();
      if (command.def != nullptr) column.column.default_value = ExpressionText(command.def);
      break;
    case PG_QUERY__ALTER_TABLE_TYPE__AT_DropNotNull:
      column.column.nullable = true;
      break;
    case PG_QUERY__ALTER_TABLE_TYPE__AT_SetNotNull:
      column.column.nullable = false;
      break;
    case PG_QUERY__ALTER_TABLE_TYPE__AT_DropExpression:
      column.column.generated.reset();
      break;
    case PG_QUERY__ALTER_TABLE_TYPE__AT_AlterColumnType:
      return AlterColumnType(command, column, state);
    case PG_QUERY__ALTER_TABLE_TYPE__AT_AddIdentity:
      AddIdentity(command, column.column);
      break;
    case PG_QUERY__ALTER_TABLE_TYPE__AT_SetIdentity:
      SetIdentity(command, column.column);
      break;
    case PG_QUERY__ALTER_TABLE_TYPE__AT_DropIdentity:
      column.column.identity.reset();
      break;
    case PG_QUERY__ALTER_TABLE_TYPE__AT_AlterColumnGenericOptions:
      if (const auto [count, options] = OptionsOf(command); count > 0)
        ApplyOption(count, options, "column_name", column.remote_name);
      break;
    default:
      break;
  }
  return Ok();
}

Status AddColumnCommand(const PgQuery__AlterTableCmd& command, Relation& relation,
                        SchemaState& state, std::vector<PendingConstraint>& pending) {
  if (command.def == nullptr || command.def->node_case != PG_QUERY__NODE__NODE_COLUMN_DEF)
    return Ok();
  const PgQuery__ColumnDef& column = *command.def->column_def;
  if (relation.Find(View(column.colname)) != kNoColumn) {
    if (command.missing_ok != 0) return Ok();
    return TwoColumns(relation, View(column.colname));
  }
  return AddColumn(column, relation, state, pending);
}

/// A table of a ring of partitions would have no root.
bool IsAncestor(const Relation& candidate, const Relation& relation) {
  const Relation* at = &relation;
  for (int depth = 0; at != nullptr && depth < kPartitionDepthMax; ++depth) {
    if (at == &candidate) return true;
    at = at->partition_of;
  }
  return at != nullptr;
}

Status AttachPartition(const PgQuery__AlterTableCmd& command, Relation& relation, bool attach,
                       const SchemaState& state) {
  if (command.def == nullptr || command.def->node_case != PG_QUERY__NODE__NODE_PARTITION_CMD)
    return Ok();
  const PgQuery__RangeVar& name = *command.def->partition_cmd->name;
  Relation* child = FindRelation(name, state);
  if (child == nullptr) return NotCreated("table", View(name.schemaname), View(name.relname));
  if (attach && IsAncestor(*child, relation))
    return Error(ErrorKind::InputUnreadable, "a table would be a partition of itself");
  child->partition_of = attach ? &relation : nullptr;
  return Ok();
}

Status Inherit(const PgQuery__AlterTableCmd& command, Relation& relation, bool add,
               const SchemaState& state) {
  if (command.def == nullptr || command.def->node_case != PG_QUERY__NODE__NODE_RANGE_VAR)
    return Ok();
  Relation* parent = FindRelation(*command.def->range_var, state);
  if (parent == nullptr) return Ok();  // its columns are not known either
  std::erase(relation.inherits, parent);
  if (add) relation.inherits.push_back(parent);
  return Ok();
}

Status ApplyCommand(const PgQuery__AlterTableCmd& command, Relation& relation, SchemaState& state,
                    std::vector<PendingConstraint>& pending) {
  switch (command.subtype) {
    case PG_QUERY__ALTER_TABLE_TYPE__AT_AddColumn:
      return AddColumnCommand(command, relation, state, pending);
    case PG_QUERY__ALTER_TABLE_TYPE__AT_DropColumn:
      return DropColumn(command, relation);
    case PG_QUERY__ALTER_TABLE_TYPE__AT_AddConstraint:
      if (command.def != nullptr && command.def->node_case == PG_QUERY__NODE__NODE_CONSTRAINT)
        pending.push_back({command.def->constraint, std::nullopt});
      return Ok();
    case PG_QUERY__ALTER_TABLE_TYPE__AT_DropConstraint:
      return DropConstraint(command, relation);
    case PG_QUERY__ALTER_TABLE_TYPE__AT_AttachPartition:
      return AttachPartition(command, relation, true, state);
    case PG_QUERY__ALTER_TABLE_TYPE__AT_DetachPartition:
      return AttachPartition(command, relation, false, state);
    case PG_QUERY__ALTER_TABLE_TYPE__AT_AddInherit:
      return Inherit(command, relation, true, state);  // the columns must be there already
    case PG_QUERY__ALTER_TABLE_TYPE__AT_DropInherit:
      return Inherit(command, relation, false, state);
    case PG_QUERY__ALTER_TABLE_TYPE__AT_GenericOptions:
      if (const auto [count, options] = OptionsOf(command); count > 0)
        ApplyTableOption(count, options, relation);
      return Ok();
    default:
      return IsSilent(command.subtype) ? Ok() : AlterColumn(command, relation, state);
  }
}

}  // namespace

Status ApplyAlterTable(const PgQuery__AlterTableStmt& alter, SchemaState& state) {
  const bool on_index = alter.objtype == PG_QUERY__OBJECT_TYPE__OBJECT_INDEX;
  const bool on_type = alter.objtype == PG_QUERY__OBJECT_TYPE__OBJECT_TYPE;
  const bool silent = std::all_of(alter.cmds, alter.cmds + alter.n_cmds, [](const Node* node) {
    return node->node_case != PG_QUERY__NODE__NODE_ALTER_TABLE_CMD ||
           IsSilent(node->alter_table_cmd->subtype);
  });
  if (on_index || on_type || silent || alter.relation == nullptr) return Ok();
  Relation* relation = FindRelation(*alter.relation, state);
  if (relation == nullptr)
    return alter.missing_ok != 0 ? Ok()
                                 : Status(NotCreated("table", View(alter.relation->schemaname),
                                                     View(alter.relation->relname)));
  std::vector<PendingConstraint> pending;
  Status status = Ok();
  for (std::size_t i = 0; i < alter.n_cmds; ++i) {
    if (alter.cmds[i]->node_case != PG_QUERY__NODE__NODE_ALTER_TABLE_CMD) continue;
    Status applied = ApplyCommand(*alter.cmds[i]->alter_table_cmd, *relation, state, pending);
    if (!applied && status) status = std::move(applied);
  }
  Status constrained = AddConstraints(pending, *relation, state);
  return status ? constrained : status;
}

}  // namespace schemaward::connect::ddl
