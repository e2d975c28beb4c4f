#pragma once

// The statement tree that the guard, our own samplers and the metric compiler share. It holds one
// SELECT; what it cannot hold is refused. Trees are immutable once built and are shared freely
// between threads.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace schemaward::sql {

struct Expression;
using ExpressionPtr =
    std::shared_ptr<const Expression>;  // shared: rewrites keep the parts they do not touch
struct Select;

/// alias.column, or column where `qualifier` is empty.
struct ColumnRef {
  std::string qualifier;
  std::string column;
};

/// A value that is bound, never printed.
struct Literal {
  std::variant<std::monostate, bool, std::int64_t, double, std::string> value;
};

/// function(arguments) by its plain name; the guard lists which.
struct Call {
  std::string function;
  std::vector<ExpressionPtr> arguments;
  bool distinct = false;
  bool star = false;  ///< count(*)
};

/// left op right, op from the renderer's closed list: = <> < <= > >= and or + - * / like || is, is
/// not (nulls compare as values).
struct Binary {
  std::string op;
  ExpressionPtr left;
  ExpressionPtr right;
};

/// op operand: not, -, is null, is not null.
struct Unary {
  std::string op;
  ExpressionPtr operand;
};

struct Expression {
  std::variant<ColumnRef, Literal, Call, Binary, Unary> node;
};

struct OutputColumn {
  ExpressionPtr expression;
  std::string alias;
};

/// schema.table AS alias.
struct TableRef {
  std::string schema;
  std::string table;
  std::string alias;
};

enum class JoinKind : std::uint8_t { Inner, Left };

struct Join {
  JoinKind kind = JoinKind::Inner;
  TableRef table;
  ExpressionPtr on;
};

struct OrderItem {
  ExpressionPtr expression;
  bool descending = false;
};

struct Select {
  bool distinct = false;
  std::vector<OutputColumn> columns;
  TableRef from;
  std::vector<Join> joins;
  ExpressionPtr where;  ///< may be null
  std::vector<ExpressionPtr> group_by;
  std::vector<OrderItem> order_by;
  std::optional<std::int64_t> limit;
};

ExpressionPtr MakeColumn(std::string qualifier, std::string column);
ExpressionPtr MakeLiteral(Literal literal);
ExpressionPtr MakeCall(Call call);
ExpressionPtr MakeBinary(std::string op, ExpressionPtr left, ExpressionPtr right);
ExpressionPtr MakeUnary(std::string op, ExpressionPtr operand);

}  // namespace schemaward::sql
