// Types of expressions. Only what holds whatever the values are; anything else has no type here.
#include <algorithm>
#include <iterator>
#include <optional>

#include <pg_query/pg_query.pb-c.h>

#include "connect/ddl/function_result.h"
#include "connect/ddl/query_columns.h"
#include "connect/ddl/type_name.h"

namespace schemaward::connect::ddl {
namespace {

/// Numbers in the order in which one is widened to the other; numeric and above by their own rules.
constexpr std::string_view kNumbers[] = {"smallint", "integer", "bigint",
                                         "numeric",  "real",    "double precision"};

/// A type without modifier. character without a length is called bpchar.
TypeRef Plain(std::string_view printed) {
  return {nullptr, printed == "character" ? "bpchar" : std::string(printed), false};
}

/// The printed type without modifier, of a domain that of its base; empty for other user types.
std::string Base(TypeRef type) {
  constexpr int kDomainDepthMax = 32;
  for (int depth = 0; depth < kDomainDepthMax && type.user != nullptr && !type.is_array; ++depth) {
    if (type.user->kind != UserTypeKind::Domain) return {};
    type = type.user->base;
  }
  if (type.user != nullptr) return {};
  const std::size_t open = type.text.find('(');
  if (open != std::string::npos) {
    const std::size_t close = type.text.find(')', open);
    if (close == std::string::npos) return {};
    type.text.erase(open, close + 1 - open);
  }
  return PrintType(type);
}

bool IsKnown(const TypeRef& type) { return type.user != nullptr || !type.text.empty(); }

std::optional<std::size_t> NumberRank(std::string_view type) {
  const auto* found = std::find(std::begin(kNumbers), std::end(kNumbers), type);
  if (found == std::end(kNumbers)) return std::nullopt;
  return static_cast<std::size_t>(found - std::begin(kNumbers));
}

bool IsText(std::string_view type) { return type == "text" || type == "character varying"; }

bool IsStringConstant(const Node* node) {
  return node != nullptr && node->node_case == PG_QUERY__NODE__NODE_A_CONST &&
         (node->a_const->isnull != 0 || node->a_const->val_case == PG_QUERY__A__CONST__VAL_SVAL);
}

TypeRef TypeOfConstant(const PgQuery__AConst& constant) {
  switch (constant.val_case) {
    case PG_QUERY__A__CONST__VAL_IVAL:
      return Plain("integer");
    case PG_QUERY__A__CONST__VAL_BOOLVAL:
      return Plain("boolean");
    case PG_QUERY__A__CONST__VAL_FVAL: {
      const std::string_view digits = View(constant.fval->fval);
      constexpr std::size_t kBigintDigits = 18;  // surely no more than fit
      const bool whole = digits.find_first_not_of("0123456789") == std::string_view::npos;
      return whole && digits.size() <= kBigintDigits ? Plain("bigint")
             : whole                                 ? TypeRef()
                                                     : Plain("numeric");
    }
    default:
      return constant.val_case == PG_QUERY__A__CONST__VAL_BSVAL ? TypeRef() : Plain("text");
  }
}

TypeRef TypeOfValueFunction(const PgQuery__SQLValueFunction& function) {
  switch (function.op) {
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_DATE:
      return Plain("date");
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_TIME:
      return Plain("time with time zone");
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_TIMESTAMP:
      return Plain("timestamp with time zone");
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_LOCALTIME:
      return Plain("time without time zone");
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_LOCALTIMESTAMP:
      return Plain("timestamp without time zone");
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_ROLE:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_USER:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_USER:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_SESSION_USER:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_CATALOG:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_SCHEMA:
      return Plain("name");
    default:
      return {};
  }
}

bool IsComparison(std::string_view op) {
  constexpr std::string_view kComparisons[] = {
      "=",  "<>",  "!=", "<",  ">",  "<=", ">=", "~",  "~*",
      "!~", "!~*", "@>", "<@", "&&", "@@", "?",  "?|", "?&"};
  return std::find(std::begin(kComparisons), std::end(kComparisons), op) != std::end(kComparisons);
}

TypeRef ArithmeticType(std::string_view op, const std::string& left, const std::string& right) {
  const auto a = NumberRank(left);
  const auto b = NumberRank(right);
  if (a && b && (op == "+" || op == "-" || op == "*" || op == "/" || op == "%")) {
    constexpr std::size_t kReal = 4;
    // real with anything but real is widened to double precision.
    if ((*a == kReal) != (*b == kReal) && std::max(*a, *b) >= kReal)
      return Plain("double precision");
    return Plain(kNumbers[std::max(*a, *b)]);
  }
  if (left == "date" && right == "date" && op == "-") return Plain("integer");
  if (left == "date" && right == "integer" && (op == "+" || op == "-")) return Plain("date");
  if (left.starts_with("timestamp") && left == right && op == "-") return Plain("interval");
  if (left.starts_with("timestamp") && right == "interval" && (op == "+" || op == "-"))
    return Plain(left);
  if (left == "date" && right == "interval" && (op == "+" || op == "-"))
    return Plain("timestamp without time zone");
  return {};
}

}  // namespace

TypeRef QueryReader::TypeOf(const Node* expression, const QueryScope& scope, With with, int depth) {
  if (expression == nullptr || depth > kQueryDepthMax) return {};
  switch (expression->node_case) {
    case PG_QUERY__NODE__NODE_COLUMN_REF:
      return TypeOfColumn(expression, scope);
    case PG_QUERY__NODE__NODE_TYPE_CAST:
      return ReadType(expression->type_cast->type_name, state_);
    case PG_QUERY__NODE__NODE_A_CONST:
      return TypeOfConstant(*expression->a_const);
    case PG_QUERY__NODE__NODE_BOOL_EXPR:
    case PG_QUERY__NODE__NODE_NULL_TEST:
    case PG_QUERY__NODE__NODE_BOOLEAN_TEST:
      return Plain("boolean");
    case PG_QUERY__NODE__NODE_SQLVALUE_FUNCTION:
      return TypeOfValueFunction(*expression->sqlvalue_function);
    case PG_QUERY__NODE__NODE_FUNC_CALL:
      return TypeOfCall(expression, scope, with, depth);
    case PG_QUERY__NODE__NODE_A_EXPR:
      return TypeOfOperator(expression, scope, with, depth);
    case PG_QUERY__NODE__NODE_SUB_LINK:
      return TypeOfSubquery(expression, scope, with, depth);
    case PG_QUERY__NODE__NODE_COLLATE_CLAUSE:
      return TypeOf(expression->collate_clause->arg, scope, with, depth + 1);
    case PG_QUERY__NODE__NODE_COALESCE_EXPR: {
      const PgQuery__CoalesceExpr& coalesce = *expression->coalesce_expr;
      return CommonType({coalesce.args, coalesce.args + coalesce.n_args}, scope, with, depth);
    }
    case PG_QUERY__NODE__NODE_MIN_MAX_EXPR: {
      const PgQuery__MinMaxExpr& extreme = *expression->min_max_expr;
      return CommonType({extreme.args, extreme.args + extreme.n_args}, scope, with, depth);
    }
    case PG_QUERY__NODE__NODE_CASE_EXPR: {
      const PgQuery__CaseExpr& choice = *expression->case_expr;
      std::vector<const Node*> results;
      for (std::size_t i = 0; i < choice.n_args; ++i) {
        if (choice.args[i]->node_case == PG_QUERY__NODE__NODE_CASE_WHEN)
          results.push_back(choice.args[i]->case_when->result);
      }
      if (choice.defresult != nullptr) results.push_back(choice.defresult);
      return CommonType(results, scope, with, depth);
    }
    default:
      return {};
  }
}

/// The type that all expressions have; literals in quotes and NULL take that of the others.
TypeRef QueryReader::CommonType(const std::vector<const Node*>& expressions,
                                const QueryScope& scope, With with, int depth) {
  TypeRef common;
  for (const Node* expression : expressions) {
    if (IsStringConstant(expression)) continue;
    TypeRef type = TypeOf(expression, scope, with, depth + 1);
    if (!IsKnown(type)) return {};
    if (!IsKnown(common)) {
      common = std::move(type);
    } else if (PrintType(common) != PrintType(type)) {
      const std::string left = Base(common);
      const std::string right = Base(type);
      const auto a = NumberRank(left);
      const auto b = NumberRank(right);
      // integer beside numeric(5,2): numeric.
      if (left.empty() || (left != right && !(a && b))) return {};
      common = Plain(a && b ? std::string(kNumbers[std::max(*a, *b)]) : left);
    }
  }
  if (IsKnown(common) || expressions.empty()) return common;
  return Plain("text");
}

TypeRef QueryReader::TypeOfColumn(const Node* node, const QueryScope& scope) const {
  const PgQuery__ColumnRef& reference = *node->column_ref;
  if (reference.n_fields == 0) return {};
  const std::string_view name = StringOf(reference.fields[reference.n_fields - 1]);
  const std::string_view alias = reference.n_fields > 1
                                     ? StringOf(reference.fields[reference.n_fields - 2])
                                     : std::string_view();
  for (const QueryScope* at = &scope; at != nullptr; at = at->outer) {
    for (const FromItem& item : at->items) {
      if (!alias.empty() && item.alias != alias) continue;
      for (const QueryColumn& column : item.result.columns) {
        if (column.name == name) return column.type;
      }
      // It may be a column of something that is not known.
      if (!item.result.complete) return {};
    }
  }
  return {};
}

TypeRef QueryReader::TypeOfCall(const Node* node, const QueryScope& scope, With with, int depth) {
  const PgQuery__FuncCall& call = *node->func_call;
  if (call.n_funcname == 0) return {};
  if (call.n_funcname > 1 && StringOf(call.funcname[0]) != "pg_catalog") return {};
  const std::string_view name = StringOf(call.funcname[call.n_funcname - 1]);
  if (const std::string_view fixed = FixedResult(name); !fixed.empty()) return Plain(fixed);
  if (call.n_args == 0) return {};
  if (name == "date_trunc" && call.n_args == 2) {
    const std::string base = Base(TypeOf(call.args[1], scope, with, depth + 1));
    if (base == "date") return Plain("timestamp with time zone");
    return base.starts_with("timestamp") || base == "interval" ? Plain(base) : TypeRef();
  }
  TypeRef argument = TypeOf(call.args[0], scope, with, depth + 1);
  const std::string base = Base(argument);
  if (name == "array_agg" && IsKnown(argument)) {
    argument.is_array = true;
    return argument;
  }
  if ((name == "generate_series" || name == "unnest")) {
    if (name == "unnest" && argument.is_array) {
      argument.is_array = false;
      return argument;
    }
    return name == "generate_series" && NumberRank(base) ? Plain(base) : TypeRef();
  }
  if (const std::string_view result = ResultFor(name, base); !result.empty()) return Plain(result);
  if (!KeepsType(name)) return {};
  // A modifier does not survive an aggregate.
  return base.empty() ? argument : Plain(base);
}

TypeRef QueryReader::TypeOfOperator(const Node* node, const QueryScope& scope, With with,
                                    int depth) {
  const PgQuery__AExpr& expression = *node->a_expr;
  if (expression.kind == PG_QUERY__A__EXPR__KIND__AEXPR_NULLIF)
    return TypeOf(expression.lexpr, scope, with, depth + 1);
  if (expression.kind != PG_QUERY__A__EXPR__KIND__AEXPR_OP) return Plain("boolean");
  const std::string_view op = expression.n_name == 0
                                  ? std::string_view()
                                  : StringOf(expression.name[expression.n_name - 1]);
  if (IsComparison(op)) return Plain("boolean");
  if (op == "->>" || op == "#>>") return Plain("text");
  const std::string right = Base(TypeOf(expression.rexpr, scope, with, depth + 1));
  if (expression.lexpr == nullptr) return NumberRank(right) ? Plain(right) : TypeRef();
  const std::string left = Base(TypeOf(expression.lexpr, scope, with, depth + 1));
  if (op == "->" || op == "#>") return left == "json" || left == "jsonb" ? Plain(left) : TypeRef();
  if (op == "||") return IsText(left) || IsText(right) ? Plain("text") : TypeRef();
  return ArithmeticType(op, left, right);
}

TypeRef QueryReader::TypeOfSubquery(const Node* node, const QueryScope& scope, With with,
                                    int depth) {
  const PgQuery__SubLink& link = *node->sub_link;
  switch (link.sub_link_type) {
    case PG_QUERY__SUB_LINK_TYPE__EXISTS_SUBLINK:
    case PG_QUERY__SUB_LINK_TYPE__ALL_SUBLINK:
    case PG_QUERY__SUB_LINK_TYPE__ANY_SUBLINK:
      return Plain("boolean");
    case PG_QUERY__SUB_LINK_TYPE__EXPR_SUBLINK:
    case PG_QUERY__SUB_LINK_TYPE__ARRAY_SUBLINK:
      break;
    default:
      return {};
  }
  if (link.subselect == nullptr || link.subselect->node_case != PG_QUERY__NODE__NODE_SELECT_STMT)
    return {};
  const QueryColumns inner = OfSelect(*link.subselect->select_stmt, with, &scope, depth + 1);
  if (inner.columns.empty()) return {};
  TypeRef type = inner.columns.front().type;
  if (link.sub_link_type == PG_QUERY__SUB_LINK_TYPE__ARRAY_SUBLINK && IsKnown(type))
    type.is_array = true;
  return type;
}

}  // namespace schemaward::connect::ddl
