#include "sql/statement.h"

#include <utility>

namespace schemaward::sql {

ExpressionPtr Make(Expression expression) {
  return std::make_shared<const Expression>(std::move(expression));
}

ExpressionPtr MakeColumn(std::string qualifier, std::string column) {
  return Make({ColumnRef{std::move(qualifier), std::move(column)}});
}

ExpressionPtr MakeLiteral(Literal literal) { return Make({std::move(literal)}); }

ExpressionPtr MakeCall(Call call) { return Make({std::move(call)}); }

ExpressionPtr MakeBinary(std::string op, ExpressionPtr left, ExpressionPtr right) {
  return Make({Binary{std::move(op), std::move(left), std::move(right)}});
}

ExpressionPtr MakeUnary(std::string op, ExpressionPtr operand) {
  return Make({Unary{std::move(op), std::move(operand)}});
}

}  // namespace schemaward::sql
