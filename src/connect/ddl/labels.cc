// Labels out of CHECK conditions.
#include <pg_query/pg_query.pb-c.h>

#include "connect/ddl/apply.h"

namespace schemaward::connect::ddl {
namespace {

constexpr int kWalkDepthMax = 100;

const Node* WithoutCasts(const Node* node) {
  for (int depth = 0; depth < kWalkDepthMax && node != nullptr; ++depth) {
    if (node->node_case != PG_QUERY__NODE__NODE_TYPE_CAST) return node;
    node = node->type_cast->arg;
  }
  return node;
}

/// The plain name of a column, or an empty view.
std::string_view ColumnOf(const Node* node) {
  node = WithoutCasts(node);
  if (node == nullptr || node->node_case != PG_QUERY__NODE__NODE_COLUMN_REF) return {};
  const PgQuery__ColumnRef& reference = *node->column_ref;
  return reference.n_fields == 0 ? std::string_view()
                                 : StringOf(reference.fields[reference.n_fields - 1]);
}

std::optional<std::string> LabelOf(const Node* node) {
  node = WithoutCasts(node);
  if (node == nullptr || node->node_case != PG_QUERY__NODE__NODE_A_CONST) return std::nullopt;
  const PgQuery__AConst& constant = *node->a_const;
  switch (constant.val_case) {
    case PG_QUERY__A__CONST__VAL_IVAL:
      return std::to_string(constant.ival->ival);
    case PG_QUERY__A__CONST__VAL_FVAL:
      return std::string(View(constant.fval->fval));
    case PG_QUERY__A__CONST__VAL_SVAL:
      return std::string(View(constant.sval->sval));
    default:
      return std::nullopt;
  }
}

std::optional<std::vector<std::string>> LabelsIn(const Node* const* items, std::size_t count) {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < count; ++i) {
    std::optional<std::string> label = LabelOf(items[i]);
    if (!label) return std::nullopt;
    labels.push_back(std::move(*label));
  }
  if (labels.empty()) return std::nullopt;
  return labels;
}

std::optional<ColumnLabels> OfComparison(const PgQuery__AExpr& expression) {
  if (expression.n_name != 1 || StringOf(expression.name[0]) != "=") return std::nullopt;
  const std::string_view column = ColumnOf(expression.lexpr);
  const Node* right = WithoutCasts(expression.rexpr);
  if (column.empty() || right == nullptr) return std::nullopt;
  std::optional<std::vector<std::string>> labels;
  if (expression.kind == PG_QUERY__A__EXPR__KIND__AEXPR_IN &&
      right->node_case == PG_QUERY__NODE__NODE_LIST) {
    labels = LabelsIn(right->list->items, right->list->n_items);
  } else if (expression.kind == PG_QUERY__A__EXPR__KIND__AEXPR_OP_ANY &&
             right->node_case == PG_QUERY__NODE__NODE_A_ARRAY_EXPR) {
    labels = LabelsIn(right->a_array_expr->elements, right->a_array_expr->n_elements);
  } else if (expression.kind == PG_QUERY__A__EXPR__KIND__AEXPR_OP) {
    labels = LabelsIn(&right, 1);
  }
  if (!labels) return std::nullopt;
  return ColumnLabels{std::string(column), std::move(*labels)};
}

std::optional<ColumnLabels> LabelsAt(const Node* condition, int depth);

/// All legs speak of one column; IS NULL adds no label.
std::optional<ColumnLabels> OfAlternatives(const PgQuery__BoolExpr& expression, int depth) {
  std::optional<ColumnLabels> all;
  std::string_view null_tested;
  for (std::size_t i = 0; i < expression.n_args; ++i) {
    const Node* leg = expression.args[i];
    if (leg->node_case == PG_QUERY__NODE__NODE_NULL_TEST &&
        leg->null_test->nulltesttype == PG_QUERY__NULL_TEST_TYPE__IS_NULL) {
      null_tested = ColumnOf(leg->null_test->arg);
      if (null_tested.empty()) return std::nullopt;
      continue;
    }
    std::optional<ColumnLabels> one = LabelsAt(leg, depth + 1);
    if (!one || (all && all->column != one->column)) return std::nullopt;
    if (!all) {
      all = std::move(one);
    } else {
      all->labels.insert(all->labels.end(), one->labels.begin(), one->labels.end());
    }
  }
  if (all && !null_tested.empty() && null_tested != all->column) return std::nullopt;
  return all;
}

std::optional<ColumnLabels> LabelsAt(const Node* condition, int depth) {
  if (condition == nullptr || depth > kWalkDepthMax) return std::nullopt;
  if (condition->node_case == PG_QUERY__NODE__NODE_A_EXPR) return OfComparison(*condition->a_expr);
  if (condition->node_case != PG_QUERY__NODE__NODE_BOOL_EXPR) return std::nullopt;
  const PgQuery__BoolExpr& expression = *condition->bool_expr;
  if (expression.boolop == PG_QUERY__BOOL_EXPR_TYPE__OR_EXPR)
    return OfAlternatives(expression, depth);
  if (expression.boolop != PG_QUERY__BOOL_EXPR_TYPE__AND_EXPR) return std::nullopt;
  for (std::size_t i = 0; depth == 0 && i < expression.n_args; ++i) {
    if (auto found = LabelsAt(expression.args[i], depth + 1)) return found;
  }
  return std::nullopt;
}

}  // namespace

std::optional<ColumnLabels> LabelsOf(const Node* condition) { return LabelsAt(condition, 0); }

}  // namespace schemaward::connect::ddl
