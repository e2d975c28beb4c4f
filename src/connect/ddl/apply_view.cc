// Views, materialized views and tables made of queries.
#include <pg_query/pg_query.pb-c.h>

#include "connect/ddl/apply.h"

namespace schemaward::connect::ddl {

Status ApplyView(const Node* statement, std::string_view default_schema, SchemaState& state) {
  if (statement->node_case != PG_QUERY__NODE__NODE_VIEW_STMT) return Ok();
  const PgQuery__RangeVar& name = *statement->view_stmt->view;
  const std::string schema = View(name.schemaname).empty() && !default_schema.empty()
                                 ? std::string(default_schema)
                                 : state.CreationSchema(View(name.schemaname));
  if (state.FindRelation(schema, View(name.relname)) != nullptr) return Ok();
  Relation& view = state.AddRelation(schema, View(name.relname), catalog::TableKind::View);
  view.columns_known = false;
  return Ok();
}

}  // namespace schemaward::connect::ddl
