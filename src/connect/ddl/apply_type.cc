// Enums, domains, composites and other types.
#include <algorithm>

#include <pg_query/pg_query.pb-c.h>

#include "connect/ddl/apply.h"
#include "connect/ddl/type_name.h"

namespace schemaward::connect::ddl {
namespace {

struct TypeNames {
  std::string schema;  ///< may be empty
  std::string name;
};

TypeNames Split(const Node* const* names, std::size_t count) {
  TypeNames split;
  if (count > 0) split.name = StringOf(names[count - 1]);
  if (count > 1) split.schema = StringOf(names[count - 2]);
  return split;
}

UserType& MakeType(const TypeNames& names, UserTypeKind kind, SchemaState& state) {
  return state.AddType(state.CreationSchema(names.schema), names.name, kind);
}

void CreateEnum(const PgQuery__CreateEnumStmt& create, SchemaState& state) {
  UserType& type = MakeType(Split(create.type_name, create.n_type_name), UserTypeKind::Enum, state);
  type.labels = StringsOf(create.vals, create.n_vals);
}

void CreateDomain(const PgQuery__CreateDomainStmt& create, SchemaState& state) {
  const TypeRef base = ReadType(create.type_name, state);
  UserType& type =
      MakeType(Split(create.domainname, create.n_domainname), UserTypeKind::Domain, state);
  type.base = base;
  for (std::size_t i = 0; i < create.n_constraints; ++i) {
    const Node* node = create.constraints[i];
    if (node->node_case != PG_QUERY__NODE__NODE_CONSTRAINT) continue;
    if (node->constraint->contype == PG_QUERY__CONSTR_TYPE__CONSTR_NOTNULL) type.not_null = true;
    if (node->constraint->contype != PG_QUERY__CONSTR_TYPE__CONSTR_CHECK) continue;
    auto found = LabelsOf(node->constraint->raw_expr);
    if (found && found->column == "value") type.labels = std::move(found->labels);
  }
}

void CreateComposite(const PgQuery__CompositeTypeStmt& create, SchemaState& state) {
  const PgQuery__RangeVar& name = *create.typevar;
  UserType& type = MakeType({std::string(View(name.schemaname)), std::string(View(name.relname))},
                            UserTypeKind::Composite, state);
  type.attributes.clear();
  type.attribute_types.clear();
  for (std::size_t i = 0; i < create.n_coldeflist; ++i) {
    const Node* node = create.coldeflist[i];
    if (node->node_case != PG_QUERY__NODE__NODE_COLUMN_DEF) continue;
    catalog::Column column;
    column.name = View(node->column_def->colname);
    type.attributes.push_back(std::move(column));
    type.attribute_types.push_back(ReadType(node->column_def->type_name, state));
  }
}

Status AlterEnum(const PgQuery__AlterEnumStmt& alter, SchemaState& state) {
  const TypeNames names = Split(alter.type_name, alter.n_type_name);
  UserType* type = state.FindType(names.schema, names.name);
  if (type == nullptr || type->kind != UserTypeKind::Enum)
    return NotCreated("type", names.schema, names.name);
  std::vector<std::string>& labels = type->labels;
  const auto find = [&](const char* label) {
    return std::find(labels.begin(), labels.end(), View(label));
  };
  const std::string new_label(View(alter.new_val));
  if (!View(alter.old_val).empty()) {
    if (auto old = find(alter.old_val); old != labels.end()) *old = new_label;
    return Ok();
  }
  if (find(alter.new_val) != labels.end()) return Ok();
  auto place = labels.end();
  if (!View(alter.new_val_neighbor).empty()) {
    place = find(alter.new_val_neighbor);
    if (place != labels.end() && alter.new_val_is_after != 0) ++place;
  }
  labels.insert(place, new_label);
  return Ok();
}

/// ADD CONSTRAINT may bring labels, SET and DROP NOT NULL bear on columns.
Status AlterDomain(const PgQuery__AlterDomainStmt& alter, SchemaState& state) {
  const TypeNames names = Split(alter.type_name, alter.n_type_name);
  UserType* type = state.FindType(names.schema, names.name);
  if (type == nullptr) return NotCreated("domain", names.schema, names.name);
  if (View(alter.subtype) == "O") type->not_null = true;
  if (View(alter.subtype) == "N") type->not_null = false;
  if (View(alter.subtype) == "C" && alter.def != nullptr &&
      alter.def->node_case == PG_QUERY__NODE__NODE_CONSTRAINT) {
    auto found = LabelsOf(alter.def->constraint->raw_expr);
    if (found && found->column == "value") type->labels = std::move(found->labels);
  }
  return Ok();
}

}  // namespace

Status ApplyType(const Node* statement, SchemaState& state) {
  switch (statement->node_case) {
    case PG_QUERY__NODE__NODE_CREATE_ENUM_STMT:
      CreateEnum(*statement->create_enum_stmt, state);
      return Ok();
    case PG_QUERY__NODE__NODE_CREATE_DOMAIN_STMT:
      CreateDomain(*statement->create_domain_stmt, state);
      return Ok();
    case PG_QUERY__NODE__NODE_COMPOSITE_TYPE_STMT:
      CreateComposite(*statement->composite_type_stmt, state);
      return Ok();
    case PG_QUERY__NODE__NODE_CREATE_RANGE_STMT: {
      const PgQuery__CreateRangeStmt& create = *statement->create_range_stmt;
      MakeType(Split(create.type_name, create.n_type_name), UserTypeKind::Other, state);
      return Ok();
    }
    case PG_QUERY__NODE__NODE_DEFINE_STMT: {
      const PgQuery__DefineStmt& create = *statement->define_stmt;
      if (create.kind == PG_QUERY__OBJECT_TYPE__OBJECT_TYPE)
        MakeType(Split(create.defnames, create.n_defnames), UserTypeKind::Other, state);
      return Ok();
    }
    case PG_QUERY__NODE__NODE_ALTER_ENUM_STMT:
      return AlterEnum(*statement->alter_enum_stmt, state);
    case PG_QUERY__NODE__NODE_ALTER_DOMAIN_STMT:
      return AlterDomain(*statement->alter_domain_stmt, state);
    default:
      return Ok();
  }
}

}  // namespace schemaward::connect::ddl
