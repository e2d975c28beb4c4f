// CREATE TABLE: columns, LIKE, INHERITS, partitions.
#include <algorithm>

#include <pg_query/pg_query.pb-c.h>

#include "connect/ddl/apply.h"
#include "connect/ddl/names.h"
#include "connect/ddl/remote.h"
#include "connect/ddl/type_name.h"

namespace schemaward::connect::ddl {
namespace {

// Bits of TableLikeClause.options. Source: PostgreSQL's TableLikeOption.
constexpr std::uint32_t kLikeComments = 1u << 0;
constexpr std::uint32_t kLikeConstraints = 1u << 2;
constexpr std::uint32_t kLikeDefaults = 1u << 3;
constexpr std::uint32_t kLikeGenerated = 1u << 4;
constexpr std::uint32_t kLikeIdentity = 1u << 5;
constexpr std::uint32_t kLikeIndexes = 1u << 6;

/// The default of a SERIAL column, as PostgreSQL prints it.
std::string SequenceDefault(const Relation& relation, std::string_view column) {
  const std::string sequence =
      QuoteIdent(relation.schema) + '.' + QuoteIdent(ObjectName(relation.name, column, "seq"));
  return "nextval(" + QuoteLiteral(sequence) + "::regclass)";
}

std::string_view IdentityWords(const char* when) {
  return View(when) == "a" ? "always" : "by default";
}

/// Applies what a column's constraint says of the column itself, or keeps it for later.
void ReadColumnConstraint(const PgQuery__Constraint& constraint, std::size_t position,
                          catalog::Column& column, std::vector<PendingConstraint>& pending) {
  switch (constraint.contype) {
    case PG_QUERY__CONSTR_TYPE__CONSTR_NOTNULL:
      column.nullable = false;
      break;
    case PG_QUERY__CONSTR_TYPE__CONSTR_DEFAULT:
      column.default_value = ExpressionText(constraint.raw_expr);
      break;
    case PG_QUERY__CONSTR_TYPE__CONSTR_IDENTITY:
      column.identity = IdentityWords(constraint.generated_when);
      column.nullable = false;
      break;
    case PG_QUERY__CONSTR_TYPE__CONSTR_GENERATED:
      column.generated = ExpressionText(constraint.raw_expr);
      break;
    default:
      pending.push_back({&constraint, position});
  }
}

/// The column of an inherited or partitioned parent; definitions of the same name merge into it.
Status InheritColumns(const Relation& parent, Relation& relation) {
  for (const ColumnState& inherited : parent.columns) {
    if (inherited.dropped) continue;
    if (relation.Find(inherited.column.name) != kNoColumn) continue;
    if (relation.columns.size() >= kColumnsMax)
      return Error(ErrorKind::InputUnreadable, "more columns than PostgreSQL allows");
    ColumnState copy = inherited;
    copy.column.comment.clear();
    copy.column.identity.reset();
    copy.remote_name.reset();
    relation.columns.push_back(std::move(copy));
  }
  return Ok();
}

void InheritChecks(const Relation& parent, Relation& relation) {
  for (const CheckState& check : parent.checks) {
    CheckState copy = check;
    if (check.column) {
      const std::size_t at = relation.Find(parent.columns[*check.column].column.name);
      copy.column = at == kNoColumn ? std::nullopt : std::optional(at);
    }
    relation.checks.push_back(std::move(copy));
  }
}

/// CREATE TABLE ... OF type.
Status CopyComposite(const PgQuery__TypeName& name, Relation& relation, SchemaState& state) {
  const TypeRef type = ReadType(&name, state);
  if (type.user == nullptr || type.user->kind != UserTypeKind::Composite)
    return NotCreated("type", {}, StringOf(name.names[name.n_names - 1]));
  for (std::size_t i = 0; i < type.user->attributes.size() && i < kColumnsMax; ++i) {
    if (relation.Find(type.user->attributes[i].name) != kNoColumn) continue;
    ColumnState column;
    column.column = type.user->attributes[i];
    column.type = type.user->attribute_types[i];
    relation.columns.push_back(std::move(column));
  }
  return Ok();
}

/// The columns that come from elsewhere: parents, a composite type.
Status AddForeignColumns(const PgQuery__CreateStmt& create, Relation& relation,
                         SchemaState& state) {
  if (create.of_typename != nullptr)
    WARD_CHECK(CopyComposite(*create.of_typename, relation, state));
  for (std::size_t i = 0; i < create.n_inh_relations; ++i) {
    const Node* node = create.inh_relations[i];
    if (node->node_case != PG_QUERY__NODE__NODE_RANGE_VAR) continue;
    Relation* parent = FindRelation(*node->range_var, state);
    if (parent == nullptr)
      return NotCreated("table", View(node->range_var->schemaname), View(node->range_var->relname));
    WARD_CHECK(InheritColumns(*parent, relation));
    InheritChecks(*parent, relation);
    if (create.partbound != nullptr) {
      relation.partition_of = parent;
    } else {
      relation.inherits.push_back(parent);
    }
  }
  return Ok();
}

Status AddElements(const PgQuery__CreateStmt& create, Relation& relation, SchemaState& state) {
  std::vector<PendingConstraint> pending;
  Status status = Ok();
  const auto keep = [&](Status added) {
    if (!added && status) status = std::move(added);
  };
  for (std::size_t i = 0; i < create.n_table_elts; ++i) {
    const Node* element = create.table_elts[i];
    switch (element->node_case) {
      case PG_QUERY__NODE__NODE_COLUMN_DEF:
        keep(AddColumn(*element->column_def, relation, state, pending));
        break;
      case PG_QUERY__NODE__NODE_CONSTRAINT:
        pending.push_back({element->constraint, std::nullopt});
        break;
      case PG_QUERY__NODE__NODE_TABLE_LIKE_CLAUSE:
        keep(CopyLike(*element->table_like_clause, relation, state));
        break;
      default:
        break;
    }
  }
  keep(AddConstraints(pending, relation, state));
  return status;
}

/// An index of LIKE's table, with the key it stands for, under a name of the new table's.
/// `moved`: the new position of each column of `source`.
void CopyIndex(const Relation& source, IndexState index, const Positions& moved, Relation& relation,
               SchemaState& state) {
  KeyState key;
  std::vector<std::string> names;
  for (IndexPart& part : index.parts) {
    if (part.column) {
      part.column = moved[*part.column];
      if (*part.column == kNoColumn) return;  // past the bound on columns
      key.columns.push_back(*part.column);
    }
    names.push_back(part.column ? relation.columns[*part.column].column.name : "expr");
  }
  const auto has_name = [&](const KeyState& k) { return k.name == index.name; };
  const bool is_primary = source.primary_key && has_name(*source.primary_key);
  const bool is_unique =
      std::any_of(source.unique_keys.begin(), source.unique_keys.end(), has_name);
  index.name = is_primary ? state.ChooseName(relation.schema, relation.name, {}, "pkey")
                          : state.ChooseName(relation.schema, relation.name, JoinedColumns(names),
                                             index.backs_constraint ? "key" : "idx");
  key.name = index.name;
  if (is_primary) {
    relation.primary_key = std::move(key);
  } else if (is_unique) {
    relation.unique_keys.push_back(std::move(key));
  }
  state.AddIndex(relation, std::move(index));
}

}  // namespace

bool IsTemporary(const PgQuery__RangeVar& name) {
  return View(name.relpersistence) == "t" || View(name.schemaname) == "pg_temp";
}

Status AddColumn(const PgQuery__ColumnDef& definition, Relation& relation, SchemaState& state,
                 std::vector<PendingConstraint>& pending) {
  const std::string_view name = View(definition.colname);
  std::size_t position = relation.Find(name);
  if (position == kNoColumn) {
    if (relation.columns.size() >= kColumnsMax)
      return Error(ErrorKind::InputUnreadable, "more columns than PostgreSQL allows");
    position = relation.columns.size();
    relation.columns.emplace_back().column.name = name;
  }  // else inherited: the declaration adds to that column
  ColumnState& state_of_column = relation.columns[position];
  catalog::Column& column = state_of_column.column;
  if (const std::string_view base = SerialBase(definition.type_name); !base.empty()) {
    state_of_column.type = BuiltinType(base);
    column.nullable = false;
    column.default_value = SequenceDefault(relation, name);
  } else if (definition.type_name != nullptr) {
    state_of_column.type = ReadType(definition.type_name, state);
  }
  if (definition.is_not_null != 0) column.nullable = false;
  ApplyOption(definition.n_fdwoptions, definition.fdwoptions, "column_name",
              state_of_column.remote_name);
  for (std::size_t i = 0; i < definition.n_constraints; ++i) {
    if (definition.constraints[i]->node_case == PG_QUERY__NODE__NODE_CONSTRAINT)
      ReadColumnConstraint(*definition.constraints[i]->constraint, position, column, pending);
  }
  return Ok();
}

Status CopyLike(const PgQuery__TableLikeClause& like, Relation& relation, SchemaState& state) {
  const Relation* source = FindRelation(*like.relation, state);
  if (source == nullptr)
    return NotCreated("table", View(like.relation->schemaname), View(like.relation->relname));
  const auto has = [&](std::uint32_t option) { return (like.options & option) != 0; };
  Positions moved(source->columns.size(), kNoColumn);
  for (std::size_t i = 0; i < source->columns.size(); ++i) {
    if (source->columns[i].dropped) continue;
    moved[i] = relation.Find(source->columns[i].column.name);  // inherited: they merge
    if (moved[i] != kNoColumn || relation.columns.size() >= kColumnsMax) continue;
    ColumnState copy = source->columns[i];
    copy.remote_name.reset();
    if (!has(kLikeDefaults)) copy.column.default_value.reset();
    if (!has(kLikeGenerated)) copy.column.generated.reset();
    if (!has(kLikeIdentity)) copy.column.identity.reset();
    if (!has(kLikeComments)) copy.column.comment.clear();
    moved[i] = relation.columns.size();
    relation.columns.push_back(std::move(copy));
  }
  for (std::size_t i = 0; has(kLikeConstraints) && i < source->checks.size(); ++i) {
    CheckState check = source->checks[i];
    if (check.column) check.column = moved[*check.column];
    if (check.column == kNoColumn) check.column.reset();
    relation.checks.push_back(std::move(check));
  }
  for (std::size_t i = 0; has(kLikeIndexes) && i < source->indexes.size(); ++i)
    CopyIndex(*source, source->indexes[i], moved, relation, state);
  return Ok();
}

Status ApplyCreateTable(const PgQuery__CreateStmt& create,
                        const PgQuery__CreateForeignTableStmt* foreign,
                        std::string_view default_schema, SchemaState& state) {
  const PgQuery__RangeVar& name = *create.relation;
  const std::string schema = View(name.schemaname).empty() && !default_schema.empty()
                                 ? std::string(default_schema)
                                 : state.CreationSchema(View(name.schemaname));
  if (state.FindRelation(schema, View(name.relname)) != nullptr) {
    if (create.if_not_exists != 0) return Ok();
    return CreatedTwice(schema, View(name.relname));
  }
  auto kind = catalog::TableKind::Table;
  if (foreign != nullptr) kind = catalog::TableKind::ForeignTable;
  if (create.partspec != nullptr) kind = catalog::TableKind::PartitionedTable;
  Relation& relation = state.AddRelation(schema, View(name.relname), kind);
  relation.temporary = IsTemporary(name);
  if (foreign != nullptr) ApplyTableOption(foreign->n_options, foreign->options, relation);
  Status inherited = AddForeignColumns(create, relation, state);
  Status added = AddElements(create, relation, state);
  return inherited ? added : inherited;
}

}  // namespace schemaward::connect::ddl
