#include "sql/rewrite.h"

#include <utility>

#include "sql/render.h"

namespace schemaward::sql {
namespace {

// One overload a node; each copies the node and replaces its operands. Lists of operands are
// bounded by what the renderer takes.
class OperandChanger {
 public:
  explicit OperandChanger(const ChangeOperand& change) : change_(change) {}

  Status Change(ColumnRef& /*node*/) const { return Ok(); }
  Status Change(Literal& /*node*/) const { return Ok(); }
  Status Change(Exists& /*node*/) const { return Ok(); }
  Status Change(Moment& /*node*/) const { return Ok(); }
  Status Change(Call& node) const { return All(node.arguments); }
  Status Change(Unary& node) const { return One(node.operand); }
  Status Change(Cast& node) const { return One(node.operand); }
  Status Change(Percentile& node) const { return One(node.operand); }
  Status Change(TextMatch& node) const { return One(node.operand); }
  Status Change(TimeBucket& node) const { return One(node.operand); }
  Status Change(Comparable& node) const { return One(node.operand); }
  Status Change(Shifted& node) const { return One(node.operand); }
  Status Change(Binary& node) const {
    WARD_CHECK(One(node.left));
    return One(node.right);
  }
  Status Change(Ratio& node) const {
    WARD_CHECK(One(node.numerator));
    return One(node.denominator);
  }
  Status Change(InList& node) const {
    WARD_CHECK(One(node.operand));
    return All(node.items);
  }
  Status Change(Case& node) const {
    for (Case::Branch& branch : node.branches) {
      WARD_CHECK(One(branch.when));
      WARD_CHECK(One(branch.then));
    }
    return node.otherwise == nullptr ? Ok() : One(node.otherwise);
  }
  Status Change(Window& node) const {
    WARD_CHECK(All(node.call.arguments));
    WARD_CHECK(All(node.partition_by));
    for (OrderItem& item : node.order_by) WARD_CHECK(One(item.expression));
    return Ok();
  }

 private:
  Status One(ExpressionPtr& operand) const {
    WARD_TRY(operand, change_(operand));
    return Ok();
  }
  Status All(std::vector<ExpressionPtr>& operands) const {
    for (ExpressionPtr& operand : operands) WARD_CHECK(One(operand));
    return Ok();
  }

  const ChangeOperand& change_;
};

Result<ExpressionPtr> RewriteAt(const ExpressionPtr& expression, const ChangeColumn& change,
                                int depth) {
  if (expression == nullptr) return Error(ErrorKind::Internal, "an expression lacks an operand");
  if (depth >= kExpressionDepthMax)
    return Error(ErrorKind::Internal, "an expression is nested too deeply");
  if (const auto* column = std::get_if<ColumnRef>(&expression->node)) {
    WARD_TRY(ExpressionPtr changed, change(*column));
    return changed == nullptr ? expression : changed;
  }
  return WithOperands(*expression, [&](const ExpressionPtr& operand) {
    return RewriteAt(operand, change, depth + 1);
  });
}

}  // namespace

Result<ExpressionPtr> WithOperands(const Expression& node, const ChangeOperand& change) {
  Expression changed = node;
  const OperandChanger changer(change);
  WARD_CHECK(std::visit([&](auto& inner) { return changer.Change(inner); }, changed.node));
  return Make(std::move(changed));
}

Result<ExpressionPtr> RewriteColumns(const ExpressionPtr& expression, const ChangeColumn& change) {
  return RewriteAt(expression, change, 0);
}

Status VisitColumns(const ExpressionPtr& expression,
                    const std::function<Status(const ColumnRef&)>& visit) {
  const auto visited = RewriteColumns(expression, [&](const ColumnRef& column) {
    const Status status = visit(column);
    return status ? Result<ExpressionPtr>(nullptr) : Result<ExpressionPtr>(status.error());
  });
  if (!visited) return visited.error();
  return Ok();
}

}  // namespace schemaward::sql
