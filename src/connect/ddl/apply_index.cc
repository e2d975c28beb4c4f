// CREATE INDEX.
#include <algorithm>

#include <fmt/core.h>
#include <pg_query/pg_query.pb-c.h>

#include "connect/ddl/apply.h"
#include "connect/ddl/names.h"

namespace schemaward::connect::ddl {
namespace {

/// The word that stands for one part in a made-up index name.
std::string NamePart(const PgQuery__IndexElem& element) {
  if (element.expr == nullptr) return std::string(View(element.name));
  if (element.expr->node_case == PG_QUERY__NODE__NODE_FUNC_CALL) {
    const PgQuery__FuncCall& call = *element.expr->func_call;
    if (call.n_funcname > 0) return std::string(StringOf(call.funcname[call.n_funcname - 1]));
  }
  return "expr";
}

std::string ChooseIndexName(const PgQuery__IndexStmt& statement, const Relation& relation,
                            SchemaState& state) {
  if (!View(statement.idxname).empty()) {
    state.ClaimName(relation.schema, View(statement.idxname));
    return std::string(View(statement.idxname));
  }
  std::vector<std::string> names;
  names.reserve(statement.n_index_params);
  for (std::size_t i = 0; i < statement.n_index_params; ++i)
    names.push_back(NamePart(*statement.index_params[i]->index_elem));
  return state.ChooseName(relation.schema, relation.name, JoinedColumns(names), "idx");
}

/// A unique index over plain columns of all rows is a key.
void AddKeyOf(const IndexState& index, Relation& relation) {
  if (!index.unique || index.predicate) return;
  KeyState key{index.name, {}};
  for (const IndexPart& part : index.parts) {
    if (!part.column) return;
    key.columns.push_back(*part.column);
  }
  relation.unique_keys.push_back(std::move(key));
}

}  // namespace

IndexPart ReadIndexPart(const PgQuery__IndexElem& element, const Relation& relation) {
  IndexPart part;
  if (element.expr != nullptr) {
    part.expression = ExpressionText(element.expr);
    return part;
  }
  const std::size_t at = relation.Find(View(element.name));
  if (at == kNoColumn) {
    part.expression = QuoteIdent(View(element.name));
  } else {
    part.column = at;
  }
  return part;
}

Status ApplyIndex(const PgQuery__IndexStmt& statement, std::string_view default_schema,
                  SchemaState& state) {
  Relation* relation = View(statement.relation->schemaname).empty() && !default_schema.empty()
                           ? state.FindRelation(default_schema, View(statement.relation->relname))
                           : FindRelation(*statement.relation, state);
  if (relation == nullptr)
    return NotCreated("table", View(statement.relation->schemaname),
                      View(statement.relation->relname));
  if (statement.if_not_exists != 0 &&
      state.FindIndexOwner(relation->schema, View(statement.idxname)) != nullptr)
    return Ok();
  for (std::size_t i = 0; i < statement.n_index_params; ++i) {
    const PgQuery__IndexElem& element = *statement.index_params[i]->index_elem;
    if (element.expr == nullptr && relation->columns_known &&
        relation->Find(View(element.name)) == kNoColumn)
      return NoSuchColumn(*relation, View(element.name));
  }
  IndexState index;
  index.unique = statement.unique != 0;
  index.method = View(statement.access_method);
  if (index.method.empty()) index.method = "btree";
  for (std::size_t i = 0; i < statement.n_index_params; ++i)
    index.parts.push_back(ReadIndexPart(*statement.index_params[i]->index_elem, *relation));
  if (statement.where_clause != nullptr) index.predicate = ExpressionText(statement.where_clause);
  index.name = ChooseIndexName(statement, *relation, state);
  AddKeyOf(index, *relation);
  state.AddIndex(*relation, std::move(index));
  return Ok();
}

}  // namespace schemaward::connect::ddl
