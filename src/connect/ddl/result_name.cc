// Names of result columns without AS. Source: PostgreSQL's FigureColnameInternal.
#include <pg_query/pg_query.pb-c.h>

#include "connect/ddl/query_columns.h"

namespace schemaward::connect::ddl {
namespace {

/// A name, and whether it is better than one that a cast or CASE around it would give.
struct Candidate {
  std::string name;
  bool strong = false;
};

Candidate NameOf(const Node* node, int depth);

Candidate NameOfSubquery(const PgQuery__SubLink& link, int depth) {
  if (link.sub_link_type == PG_QUERY__SUB_LINK_TYPE__EXISTS_SUBLINK) return {"exists", true};
  if (link.sub_link_type == PG_QUERY__SUB_LINK_TYPE__ARRAY_SUBLINK) return {"array", true};
  if (link.sub_link_type != PG_QUERY__SUB_LINK_TYPE__EXPR_SUBLINK || link.subselect == nullptr ||
      link.subselect->node_case != PG_QUERY__NODE__NODE_SELECT_STMT)
    return {};
  const PgQuery__SelectStmt& select = *link.subselect->select_stmt;
  if (select.n_target_list == 0 ||
      select.target_list[0]->node_case != PG_QUERY__NODE__NODE_RES_TARGET)
    return {};
  const PgQuery__ResTarget& target = *select.target_list[0]->res_target;
  if (!View(target.name).empty()) return {std::string(View(target.name)), true};
  return NameOf(target.val, depth + 1);
}

Candidate NameOfCast(const PgQuery__TypeCast& cast, int depth) {
  Candidate inner = NameOf(cast.arg, depth + 1);
  if (inner.strong || cast.type_name == nullptr || cast.type_name->n_names == 0) return inner;
  return {std::string(StringOf(cast.type_name->names[cast.type_name->n_names - 1])), false};
}

std::string_view NameOfValueFunction(PgQuery__SQLValueFunctionOp op) {
  switch (op) {
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_DATE:
      return "current_date";
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_TIME:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_TIME_N:
      return "current_time";
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_TIMESTAMP:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_TIMESTAMP_N:
      return "current_timestamp";
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_LOCALTIME:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_LOCALTIME_N:
      return "localtime";
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_LOCALTIMESTAMP:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_LOCALTIMESTAMP_N:
      return "localtimestamp";
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_ROLE:
      return "current_role";
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_USER:
      return "current_user";
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_USER:
      return "user";
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_SESSION_USER:
      return "session_user";
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_CATALOG:
      return "current_catalog";
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_SCHEMA:
      return "current_schema";
    default:
      return {};
  }
}

/// The last name in a list that may hold stars and subscripts too.
Candidate LastName(const Node* const* nodes, std::size_t count) {
  for (std::size_t i = count; i > 0; --i) {
    if (nodes[i - 1]->node_case == PG_QUERY__NODE__NODE_STRING)
      return {std::string(StringOf(nodes[i - 1])), true};
  }
  return {};
}

Candidate NameOf(const Node* node, int depth) {
  if (node == nullptr || depth > kQueryDepthMax) return {};
  switch (node->node_case) {
    case PG_QUERY__NODE__NODE_COLUMN_REF:
      return LastName(node->column_ref->fields, node->column_ref->n_fields);
    case PG_QUERY__NODE__NODE_A_INDIRECTION: {
      Candidate field =
          LastName(node->a_indirection->indirection, node->a_indirection->n_indirection);
      return field.strong ? field : NameOf(node->a_indirection->arg, depth + 1);
    }
    case PG_QUERY__NODE__NODE_FUNC_CALL:
      return LastName(node->func_call->funcname, node->func_call->n_funcname);
    case PG_QUERY__NODE__NODE_A_EXPR:
      return node->a_expr->kind == PG_QUERY__A__EXPR__KIND__AEXPR_NULLIF ? Candidate{"nullif", true}
                                                                         : Candidate();
    case PG_QUERY__NODE__NODE_TYPE_CAST:
      return NameOfCast(*node->type_cast, depth);
    case PG_QUERY__NODE__NODE_COLLATE_CLAUSE:
      return NameOf(node->collate_clause->arg, depth + 1);
    case PG_QUERY__NODE__NODE_SUB_LINK:
      return NameOfSubquery(*node->sub_link, depth);
    case PG_QUERY__NODE__NODE_CASE_EXPR: {
      Candidate other = NameOf(node->case_expr->defresult, depth + 1);
      return other.strong ? other : Candidate{"case", false};
    }
    case PG_QUERY__NODE__NODE_A_ARRAY_EXPR:
      return {"array", true};
    case PG_QUERY__NODE__NODE_ROW_EXPR:
      return {"row", true};
    case PG_QUERY__NODE__NODE_COALESCE_EXPR:
      return {"coalesce", true};
    case PG_QUERY__NODE__NODE_MIN_MAX_EXPR:
      return {node->min_max_expr->op == PG_QUERY__MIN_MAX_OP__IS_GREATEST ? "greatest" : "least",
              true};
    case PG_QUERY__NODE__NODE_GROUPING_FUNC:
      return {"grouping", true};
    case PG_QUERY__NODE__NODE_SQLVALUE_FUNCTION:
      return {std::string(NameOfValueFunction(node->sqlvalue_function->op)), true};
    default:
      return {};
  }
}

}  // namespace

std::string ResultName(const Node* expression) {
  Candidate found = NameOf(expression, 0);
  return found.name.empty() ? "?column?" : found.name;
}

}  // namespace schemaward::connect::ddl
