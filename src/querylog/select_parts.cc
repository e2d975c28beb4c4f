#include "querylog/select_parts.h"

#include <pg_query/pg_query.pb-c.h>

namespace schemaward::querylog {

using pgparse::Node;

const PgQuery__ColumnRef* ReferenceOf(const Node* node) {
  return node != nullptr && node->node_case == PG_QUERY__NODE__NODE_COLUMN_REF ? node->column_ref
                                                                               : nullptr;
}

const PgQuery__ColumnRef* StarOf(const Node* node) {
  const PgQuery__ColumnRef* reference = ReferenceOf(node);
  if (reference == nullptr || reference->n_fields == 0) return nullptr;
  const Node* last = reference->fields[reference->n_fields - 1];
  return last->node_case == PG_QUERY__NODE__NODE_A_STAR ? reference : nullptr;
}

std::vector<std::string> PartsOf(const PgQuery__ColumnRef& reference) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < reference.n_fields; ++i)
    if (reference.fields[i]->node_case == PG_QUERY__NODE__NODE_STRING)
      parts.emplace_back(pgparse::StringOf(reference.fields[i]));
  return parts;
}

const Node* WithoutCasts(const Node* node) {
  while (node != nullptr) {
    if (node->node_case == PG_QUERY__NODE__NODE_TYPE_CAST) {
      node = node->type_cast->arg;
    } else if (node->node_case == PG_QUERY__NODE__NODE_COLLATE_CLAUSE) {
      node = node->collate_clause->arg;
    } else {
      return node;
    }
  }
  return nullptr;
}

std::string LastName(const Node* node) {
  const Node* inner = WithoutCasts(node);
  if (const PgQuery__ColumnRef* reference = ReferenceOf(inner)) {
    const auto parts = PartsOf(*reference);
    return parts.empty() ? std::string() : parts.back();
  }
  if (inner != nullptr && inner->node_case == PG_QUERY__NODE__NODE_FUNC_CALL) {
    const auto names = pgparse::StringsOf(inner->func_call->funcname, inner->func_call->n_funcname);
    return names.empty() ? std::string() : names.back();
  }
  return {};
}

std::string AliasName(const PgQuery__Alias* alias) {
  return alias == nullptr ? std::string() : std::string(pgparse::View(alias->aliasname));
}

std::vector<std::string> AliasColumns(const PgQuery__Alias* alias) {
  return alias == nullptr ? std::vector<std::string>()
                          : pgparse::StringsOf(alias->colnames, alias->n_colnames);
}

}  // namespace schemaward::querylog
