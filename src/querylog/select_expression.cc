// Conditions and expressions: which columns stand in them, and which are set equal.
#include <algorithm>

#include <pg_query/pg_query.pb-c.h>

#include "pgparse/tree.h"
#include "querylog/select_parts.h"
#include "querylog/select_reader.h"

namespace schemaward::querylog {

using pgparse::Node;
using pgparse::StringOf;

namespace {

bool IsEqual(const PgQuery__AExpr& expression) {
  const bool compares = expression.kind == PG_QUERY__A__EXPR__KIND__AEXPR_OP ||
                        expression.kind == PG_QUERY__A__EXPR__KIND__AEXPR_NOT_DISTINCT;
  return compares && expression.n_name > 0 &&
         StringOf(expression.name[expression.n_name - 1]) == "=";
}

const PgQuery__RowExpr* RowOf(const Node* node) {
  return node != nullptr && node->node_case == PG_QUERY__NODE__NODE_ROW_EXPR ? node->row_expr
                                                                             : nullptr;
}

}  // namespace

/// A condition that must hold: equalities in it join.
void SelectReader::ReadConditions(const Node* node, With with, const Scope& scope, int depth) {
  if (node == nullptr) return;
  if (depth > pgparse::kTreeDepthMax) {
    reading_.is_whole = false;
    return;
  }
  if (node->node_case == PG_QUERY__NODE__NODE_BOOL_EXPR &&
      node->bool_expr->boolop == PG_QUERY__BOOL_EXPR_TYPE__AND_EXPR) {
    for (std::size_t i = 0; i < node->bool_expr->n_args; ++i)
      ReadConditions(node->bool_expr->args[i], with, scope, depth + 1);
    return;
  }
  if (node->node_case == PG_QUERY__NODE__NODE_A_EXPR && IsEqual(*node->a_expr))
    NoteEquality(node->a_expr->lexpr, node->a_expr->rexpr, scope);
  Visit(node, with, scope, depth);
}

void SelectReader::NoteEquality(const Node* left, const Node* right, const Scope& scope) const {
  const PgQuery__RowExpr* here = RowOf(left);
  const PgQuery__RowExpr* there = RowOf(right);
  if (here == nullptr || there == nullptr)
    return NotePair(OriginOf(left, scope), OriginOf(right, scope), scope);
  for (std::size_t i = 0; i < here->n_args && i < there->n_args; ++i)
    NotePair(OriginOf(here->args[i], scope), OriginOf(there->args[i], scope), scope);
}

void SelectReader::NotePair(const std::optional<Origin>& a, const std::optional<Origin>& b,
                            const Scope& scope) const {
  if (!a || !b || a->instance == b->instance || scope.pairs == nullptr) return;
  if (scope.pairs->size() < kPairsMax) scope.pairs->emplace_back(*a, *b);
}

std::optional<Origin> SelectReader::OriginOf(const Node* node, const Scope& scope) const {
  const Node* inner = WithoutCasts(node);
  const PgQuery__ColumnRef* reference = ReferenceOf(inner);
  if (reference == nullptr || StarOf(inner) != nullptr) return std::nullopt;
  return Find(names_, scope, PartsOf(*reference)).origin;
}

void SelectReader::Visit(const Node* node, With with, const Scope& scope, int depth,
                         const Outputs* aliases) {
  if (node == nullptr) return;
  const pgparse::NodeVisitor visit = [&](const Node& at, int below) {
    switch (at.node_case) {
      case PG_QUERY__NODE__NODE_COLUMN_REF:
        ReadReference(*at.column_ref, scope, aliases);
        return false;
      case PG_QUERY__NODE__NODE_SUB_LINK:
        ReadSubLink(*at.sub_link, with, scope, below + 1);
        return false;
      case PG_QUERY__NODE__NODE_SELECT_STMT:
        OfSelect(*at.select_stmt, with, &scope, below + 1, true);
        return false;
      default:
        return true;
    }
  };
  if (!visit(*node, depth)) return;
  reading_.is_whole = pgparse::VisitNodes(node->base, depth, visit) && reading_.is_whole;
}

void SelectReader::VisitAll(const Node* const* nodes, std::size_t count, With with,
                            const Scope& scope, int depth, const Outputs* aliases) {
  for (std::size_t i = 0; i < count; ++i) Visit(nodes[i], with, scope, depth, aliases);
}

/// A subquery in an expression. x IN (SELECT y ...) and x = ANY (SELECT y ...) set x and y equal,
/// wherever they stand.
void SelectReader::ReadSubLink(const PgQuery__SubLink& link, With with, const Scope& scope,
                               int depth) {
  Visit(link.testexpr, with, scope, depth + 1);
  const bool is_exists = link.sub_link_type == PG_QUERY__SUB_LINK_TYPE__EXISTS_SUBLINK;
  Outputs outputs;
  if (link.subselect != nullptr && link.subselect->node_case == PG_QUERY__NODE__NODE_SELECT_STMT)
    outputs = OfSelect(*link.subselect->select_stmt, with, &scope, depth + 1, !is_exists);
  const bool is_equal =
      link.n_oper_name == 0 || StringOf(link.oper_name[link.n_oper_name - 1]) == "=";
  if (link.sub_link_type != PG_QUERY__SUB_LINK_TYPE__ANY_SUBLINK || !is_equal) return;
  const PgQuery__RowExpr* row = RowOf(link.testexpr);
  const std::size_t count = row == nullptr ? 1 : row->n_args;
  for (std::size_t i = 0; i < count && i < outputs.columns.size() && outputs.complete; ++i)
    NotePair(OriginOf(row == nullptr ? link.testexpr : row->args[i], scope),
             outputs.columns[i].origin, scope);
}

void SelectReader::ReadReference(const PgQuery__ColumnRef& reference, const Scope& scope,
                                 const Outputs* aliases) {
  const auto parts = PartsOf(reference);
  if (parts.size() != reference.n_fields) {  // t.* as a value
    Outputs ignored;
    return ReadStar(reference, scope, ignored);
  }
  const bool is_alias =
      aliases != nullptr && parts.size() == 1 &&
      std::any_of(aliases->columns.begin(), aliases->columns.end(),
                  [&](const Output& output) { return output.name == parts.front(); });
  const Meaning meaning = Find(names_, scope, parts);
  if (meaning.origin) return Touch(*meaning.origin);
  if (meaning.whole != nullptr && !is_alias) return TouchAll(*meaning.whole);
  if (!meaning.is_known && !is_alias) reading_.resolved = false;
}

void SelectReader::TouchAll(const Item& item) {
  for (const Output& output : ColumnsOf(names_, item).columns)
    if (output.origin) Touch(*output.origin);
}

/// * and t.*
void SelectReader::ReadStar(const PgQuery__ColumnRef& reference, const Scope& scope,
                            Outputs& outputs) {
  const auto parts = PartsOf(reference);
  std::vector<const Item*> items;
  if (parts.empty()) {
    for (const Item& item : scope.items) items.push_back(&item);
  } else {
    const std::string_view schema =
        parts.size() > 1 ? std::string_view(parts[parts.size() - 2]) : std::string_view();
    if (const Item* item = FindItem(names_, scope, schema, parts.back())) items.push_back(item);
    if (items.empty()) reading_.resolved = outputs.complete = false;
  }
  for (const Item* item : items) {
    TouchAll(*item);
    const Outputs columns = ColumnsOf(names_, *item);
    outputs.complete = outputs.complete && columns.complete && Spend(columns.columns.size());
    if (outputs.complete)
      outputs.columns.insert(outputs.columns.end(), columns.columns.begin(), columns.columns.end());
  }
}

}  // namespace schemaward::querylog
