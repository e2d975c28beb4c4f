// Views, materialized views and tables made of queries.
#include <algorithm>

#include <pg_query/pg_query.pb-c.h>

#include "connect/ddl/apply.h"
#include "connect/ddl/query_columns.h"

namespace schemaward::connect::ddl {
namespace {

/// A relation that a query gives columns.
struct QueryRelation {
  const PgQuery__RangeVar* name = nullptr;
  const Node* query = nullptr;
  std::vector<std::string> column_names;
  catalog::TableKind kind = catalog::TableKind::Table;
  bool replace = false;
  bool if_not_exists = false;
};

QueryRelation ReadCreateTableAs(const PgQuery__CreateTableAsStmt& create) {
  QueryRelation made;
  made.name = create.into == nullptr ? nullptr : create.into->rel;
  made.query = create.query;
  if (create.into != nullptr)
    made.column_names = StringsOf(create.into->col_names, create.into->n_col_names);
  if (create.objtype == PG_QUERY__OBJECT_TYPE__OBJECT_MATVIEW)
    made.kind = catalog::TableKind::MaterializedView;
  made.if_not_exists = create.if_not_exists != 0;
  return made;
}

QueryRelation ReadStatement(const Node* statement) {
  if (statement->node_case == PG_QUERY__NODE__NODE_CREATE_TABLE_AS_STMT)
    return ReadCreateTableAs(*statement->create_table_as_stmt);
  QueryRelation made;
  if (statement->node_case == PG_QUERY__NODE__NODE_SELECT_STMT) {
    made.name = statement->select_stmt->into_clause->rel;  // SELECT ... INTO
    made.query = statement;
    return made;
  }
  const PgQuery__ViewStmt& create = *statement->view_stmt;
  made.name = create.view;
  made.query = create.query;
  made.column_names = StringsOf(create.aliases, create.n_aliases);
  made.kind = catalog::TableKind::View;
  made.replace = create.replace != 0;
  return made;
}

void SetColumns(const QueryColumns& result, Relation& relation) {
  relation.columns_known = result.complete && result.columns.size() <= kColumnsMax;
  const std::vector<ColumnState> before = std::move(relation.columns);
  relation.columns.clear();
  for (const QueryColumn& column : result.columns) {
    if (relation.columns.size() >= kColumnsMax) return;
    if (relation.Find(column.name) != kNoColumn) continue;  // ambiguous where names are not known
    ColumnState added;
    added.column.name = column.name;
    added.type = column.type;
    const auto old = std::find_if(before.begin(), before.end(), [&](const ColumnState& c) {
      return c.column.name == column.name;
    });
    if (old != before.end()) added.column.comment = old->column.comment;
    relation.columns.push_back(std::move(added));
  }
}

}  // namespace

Status ApplyView(const Node* statement, std::string_view default_schema, SchemaState& state) {
  const QueryRelation made = ReadStatement(statement);
  if (made.name == nullptr) return Ok();
  const std::string schema = View(made.name->schemaname).empty() && !default_schema.empty()
                                 ? std::string(default_schema)
                                 : state.CreationSchema(View(made.name->schemaname));
  const std::string_view name = View(made.name->relname);
  Relation* relation = state.FindRelation(schema, name);
  if (relation != nullptr && made.if_not_exists) return Ok();
  if (relation != nullptr && !(made.replace && relation->kind == catalog::TableKind::View))
    return CreatedTwice(schema, name);
  QueryColumns result = QueryReader(state).Columns(made.query);
  Rename(made.column_names, result);
  if (result.columns.empty()) {
    // The names that the view itself lists hold even where the query says nothing.
    for (const std::string& column : made.column_names) result.columns.push_back({column, {}});
    result.complete = result.complete || !made.column_names.empty();
  }
  if (relation == nullptr) relation = &state.AddRelation(schema, name, made.kind);
  relation->temporary = IsTemporary(*made.name);
  if (made.kind != catalog::TableKind::Table) relation->definition = QueryText(made.query);
  SetColumns(result, *relation);
  return Ok();
}

}  // namespace schemaward::connect::ddl
