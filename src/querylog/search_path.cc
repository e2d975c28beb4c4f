#include "querylog/search_path.h"

#include <pg_query/pg_query.pb-c.h>

#include "pgparse/parse.h"

namespace schemaward::querylog {

std::optional<std::vector<std::string>> SearchPathOf(const pgparse::Statement& statement) {
  pgparse::Parser parser;
  const auto tree =
      parser.Parse(statement.text, static_cast<std::size_t>(statement.tokens), statement.depth);
  if (!tree || (*tree)->node_case != PG_QUERY__NODE__NODE_VARIABLE_SET_STMT) return std::nullopt;
  const PgQuery__VariableSetStmt& set = *(*tree)->variable_set_stmt;
  if (pgparse::View(set.name) != "search_path" ||
      set.kind != PG_QUERY__VARIABLE_SET_KIND__VAR_SET_VALUE)
    return std::nullopt;
  std::vector<std::string> path;
  for (std::size_t i = 0; i < set.n_args; ++i) {
    if (set.args[i]->node_case != PG_QUERY__NODE__NODE_A_CONST) continue;
    const PgQuery__AConst& value = *set.args[i]->a_const;
    if (value.val_case != PG_QUERY__A__CONST__VAL_SVAL) continue;
    std::string schema(pgparse::View(value.sval->sval));
    if (schema != "$user" && !schema.empty()) path.push_back(std::move(schema));
  }
  return path;
}

}  // namespace schemaward::querylog
