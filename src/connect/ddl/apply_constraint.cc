// Constraints: checks, primary and unique keys, foreign keys.
#include <algorithm>

#include <fmt/core.h>
#include <pg_query/pg_query.pb-c.h>

#include "connect/ddl/apply.h"
#include "connect/ddl/names.h"

namespace schemaward::connect::ddl {
namespace {

/// How the catalog words an action. `code`: PostgreSQL's one letter.
std::string ActionWords(const char* code) {
  const std::string_view letter = View(code);
  if (letter == "r") return "restrict";
  if (letter == "c") return "cascade";
  if (letter == "n") return "set null";
  if (letter == "d") return "set default";
  return "no action";
}

Result<Positions> FindColumns(const Relation& relation, const Node* const* names,
                              std::size_t count) {
  Positions positions;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = relation.Find(StringOf(names[i]));
    if (at == kNoColumn) return NoSuchColumn(relation, StringOf(names[i]));
    positions.push_back(at);
  }
  return positions;
}

std::vector<std::string> ColumnNames(const Relation& relation, const Positions& positions) {
  std::vector<std::string> names;
  names.reserve(positions.size());
  for (std::size_t at : positions) names.push_back(relation.columns[at].column.name);
  return names;
}

std::string NameFor(const PgQuery__Constraint& constraint, const Relation& relation,
                    std::string_view columns, std::string_view label, SchemaState& state) {
  if (!View(constraint.conname).empty()) {
    state.ClaimName(relation.schema, View(constraint.conname));
    return std::string(View(constraint.conname));
  }
  return state.ChooseName(relation.schema, relation.name, columns, label);
}

constexpr int kWalkDepthMax = 100;

/// Collects the columns that a condition names, as far down as matters for its made-up name.
void CollectColumns(const Node* node, int depth, std::vector<std::string>& columns) {
  if (node == nullptr || depth > kWalkDepthMax || columns.size() > 1) return;
  const auto all = [&](const Node* const* items, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) CollectColumns(items[i], depth + 1, columns);
  };
  switch (node->node_case) {
    case PG_QUERY__NODE__NODE_COLUMN_REF: {
      const PgQuery__ColumnRef& reference = *node->column_ref;
      if (reference.n_fields == 0) return;
      std::string name(StringOf(reference.fields[reference.n_fields - 1]));
      if (std::find(columns.begin(), columns.end(), name) == columns.end())
        columns.push_back(std::move(name));
      return;
    }
    case PG_QUERY__NODE__NODE_A_EXPR:
      CollectColumns(node->a_expr->lexpr, depth + 1, columns);
      CollectColumns(node->a_expr->rexpr, depth + 1, columns);
      return;
    case PG_QUERY__NODE__NODE_BOOL_EXPR:
      return all(node->bool_expr->args, node->bool_expr->n_args);
    case PG_QUERY__NODE__NODE_FUNC_CALL:
      return all(node->func_call->args, node->func_call->n_args);
    case PG_QUERY__NODE__NODE_COALESCE_EXPR:
      return all(node->coalesce_expr->args, node->coalesce_expr->n_args);
    case PG_QUERY__NODE__NODE_LIST:
      return all(node->list->items, node->list->n_items);
    case PG_QUERY__NODE__NODE_A_ARRAY_EXPR:
      return all(node->a_array_expr->elements, node->a_array_expr->n_elements);
    case PG_QUERY__NODE__NODE_TYPE_CAST:
      return CollectColumns(node->type_cast->arg, depth + 1, columns);
    case PG_QUERY__NODE__NODE_NULL_TEST:
      return CollectColumns(node->null_test->arg, depth + 1, columns);
    case PG_QUERY__NODE__NODE_BOOLEAN_TEST:
      return CollectColumns(node->boolean_test->arg, depth + 1, columns);
    case PG_QUERY__NODE__NODE_A_INDIRECTION:
      return CollectColumns(node->a_indirection->arg, depth + 1, columns);
    default:
      return;
  }
}

Status AddCheck(const PgQuery__Constraint& constraint, Relation& relation, SchemaState& state) {
  CheckState check;
  std::vector<std::string> columns;
  CollectColumns(constraint.raw_expr, 0, columns);
  check.name = NameFor(constraint, relation,
                       columns.size() == 1 ? std::string_view(columns[0]) : std::string_view(),
                       "check", state);
  check.expression = ExpressionText(constraint.raw_expr);
  if (auto found = LabelsOf(constraint.raw_expr)) {
    const std::size_t at = relation.Find(found->column);
    if (at != kNoColumn) {
      check.column = at;
      check.labels = std::move(found->labels);
    }
  }
  relation.checks.push_back(std::move(check));
  return Ok();
}

/// ADD CONSTRAINT ... USING INDEX: the index becomes the constraint's and takes its name.
Status AdoptIndex(const PgQuery__Constraint& constraint, bool primary, Relation& relation,
                  SchemaState& state) {
  const auto found =
      std::find_if(relation.indexes.begin(), relation.indexes.end(),
                   [&](const IndexState& i) { return i.name == View(constraint.indexname); });
  if (found == relation.indexes.end())
    return NotCreated("index", relation.schema, View(constraint.indexname));
  const std::string old_name = found->name;
  KeyState key{View(constraint.conname).empty() ? old_name : std::string(View(constraint.conname)),
               {}};
  for (const IndexPart& part : found->parts) {
    if (!part.column)
      return Error(ErrorKind::InputUnreadable,
                   fmt::format("index {} is over an expression", QuoteIdent(old_name)));
    key.columns.push_back(*part.column);
  }
  found->backs_constraint = true;
  std::erase_if(relation.unique_keys, [&](const KeyState& k) { return k.name == old_name; });
  state.RenameIndex(relation, old_name, key.name);
  if (primary) {
    for (std::size_t at : key.columns) relation.columns[at].column.nullable = false;
    relation.primary_key = std::move(key);
  } else {
    relation.unique_keys.push_back(std::move(key));
  }
  return Ok();
}

bool SameKeyExists(const Relation& relation, const Positions& columns) {
  if (relation.primary_key && relation.primary_key->columns == columns) return true;
  return std::any_of(relation.unique_keys.begin(), relation.unique_keys.end(),
                     [&](const KeyState& key) { return key.columns == columns; });
}

Status AddKey(const PendingConstraint& pending, Relation& relation, SchemaState& state) {
  const PgQuery__Constraint& constraint = *pending.constraint;
  const bool primary = constraint.contype == PG_QUERY__CONSTR_TYPE__CONSTR_PRIMARY;
  if (!View(constraint.indexname).empty()) return AdoptIndex(constraint, primary, relation, state);
  Positions columns;
  if (pending.column) {
    columns.push_back(*pending.column);
  } else {
    WARD_TRY(columns, FindColumns(relation, constraint.keys, constraint.n_keys));
  }
  if (primary && relation.primary_key)
    return Error(ErrorKind::InputUnreadable,
                 fmt::format("table {} has two primary keys",
                             catalog::QualifiedName(relation.schema, relation.name)));
  // PostgreSQL makes one index of a nameless UNIQUE that repeats a key.
  if (!primary && View(constraint.conname).empty() && SameKeyExists(relation, columns)) return Ok();
  KeyState key;
  key.name = primary ? NameFor(constraint, relation, {}, "pkey", state)
                     : NameFor(constraint, relation, JoinedColumns(ColumnNames(relation, columns)),
                               "key", state);
  key.columns = columns;
  IndexState index;
  index.name = key.name;
  index.unique = index.backs_constraint = true;
  index.method = "btree";
  for (std::size_t at : columns) index.parts.push_back({at, {}});
  state.AddIndex(relation, std::move(index));
  if (primary) {
    for (std::size_t at : columns) relation.columns[at].column.nullable = false;
    relation.primary_key = std::move(key);
  } else {
    relation.unique_keys.push_back(std::move(key));
  }
  return Ok();
}

Status AddForeignKey(const PendingConstraint& pending, Relation& relation, SchemaState& state) {
  const PgQuery__Constraint& constraint = *pending.constraint;
  ForeignKeyState key;
  if (pending.column) {
    key.columns.push_back(*pending.column);
  } else {
    WARD_TRY(key.columns, FindColumns(relation, constraint.fk_attrs, constraint.n_fk_attrs));
  }
  key.name = NameFor(constraint, relation, JoinedColumns(ColumnNames(relation, key.columns)),
                     "fkey", state);
  if (constraint.pktable == nullptr)
    return Error(ErrorKind::InputUnreadable, "a foreign key refers to nothing");
  key.target_schemas = state.LookupSchemas(View(constraint.pktable->schemaname));
  key.target_name = View(constraint.pktable->relname);
  key.target_column_names = StringsOf(constraint.pk_attrs, constraint.n_pk_attrs);
  key.on_update = ActionWords(constraint.fk_upd_action);
  key.on_delete = ActionWords(constraint.fk_del_action);
  ResolveForeignKey(key, state);
  relation.foreign_keys.push_back(std::move(key));
  return Ok();
}

/// The order in which PostgreSQL applies constraints of one statement.
int Rank(PgQuery__ConstrType type) {
  switch (type) {
    case PG_QUERY__CONSTR_TYPE__CONSTR_CHECK:
      return 0;
    case PG_QUERY__CONSTR_TYPE__CONSTR_PRIMARY:
      return 1;
    case PG_QUERY__CONSTR_TYPE__CONSTR_UNIQUE:
      return 2;
    case PG_QUERY__CONSTR_TYPE__CONSTR_FOREIGN:
      return 3;
    default:
      return 4;
  }
}

Status AddConstraint(const PendingConstraint& pending, Relation& relation, SchemaState& state) {
  switch (pending.constraint->contype) {
    case PG_QUERY__CONSTR_TYPE__CONSTR_CHECK:
      return AddCheck(*pending.constraint, relation, state);
    case PG_QUERY__CONSTR_TYPE__CONSTR_PRIMARY:
    case PG_QUERY__CONSTR_TYPE__CONSTR_UNIQUE:
      return AddKey(pending, relation, state);
    case PG_QUERY__CONSTR_TYPE__CONSTR_FOREIGN:
      return AddForeignKey(pending, relation, state);
    default:
      return Ok();  // exclusion constraints are no keys; deferral changes nothing here
  }
}

}  // namespace

Status AddConstraints(const std::vector<PendingConstraint>& pending, Relation& relation,
                      SchemaState& state) {
  std::vector<PendingConstraint> ordered = pending;
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const PendingConstraint& a, const PendingConstraint& b) {
                     return Rank(a.constraint->contype) < Rank(b.constraint->contype);
                   });
  Status status = Ok();
  for (const PendingConstraint& one : ordered) {
    if (Status added = AddConstraint(one, relation, state); !added && status) status = added;
  }
  return status;
}

void ResolveForeignKey(ForeignKeyState& key, const SchemaState& state) {
  for (std::size_t i = 0; key.target == nullptr && i < key.target_schemas.size(); ++i)
    key.target = state.FindRelation(key.target_schemas[i], key.target_name);
  if (key.target == nullptr || !key.target_columns.empty()) return;
  if (key.target_column_names.empty()) {
    if (key.target->primary_key) key.target_columns = key.target->primary_key->columns;
    return;
  }
  Positions columns;
  for (const std::string& name : key.target_column_names) {
    const std::size_t at = key.target->Find(name);
    if (at == kNoColumn) return;
    columns.push_back(at);
  }
  key.target_columns = std::move(columns);
}

}  // namespace schemaward::connect::ddl
