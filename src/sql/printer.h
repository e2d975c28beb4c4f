#pragma once

// Inside sql/: the state of one printing. Statements are in render.cc, expressions in
// render_expression.cc, what means time in render_time.cc.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sql/dialect.h"
#include "sql/render.h"
#include "sql/statement.h"

namespace schemaward::sql {

Error Unprintable(std::string_view what);

/// Returns a moment's text as one of UTC without an offset; anything else as it is.
Literal WithoutOffset(const Literal& literal);

/// Thread: owner. `depth` counts nested expressions and selects together.
class Printer {
 public:
  explicit Printer(const Dialect& dialect) : dialect_(dialect) {}

  Status Statement(const Select& select, int depth);
  Rendered Take() { return std::move(out_); }

 private:
  Status With(const Select& select, int depth);
  Status Body(const Select& select, int depth);
  Status Columns(const std::vector<OutputColumn>& columns, int depth);
  Status Order(const OrderItem& item, int depth);
  Status From(const Relation& relation, int depth);
  Status Alias(const std::string& alias);
  Status Table(const TableRef& table, int depth);
  Status Table(const CteRef& table, int depth);
  Status Table(const DerivedTable& table, int depth);
  Status Table(const ValuesTable& table, int depth);
  Status ValuesByUnion(const ValuesTable& table, int depth);
  Status JoinClause(const Join& join, int depth);
  Status Name(std::string_view name);

  Status Value(const ExpressionPtr& expression, int depth);
  /// As Value; a bound value stands in a cast to its own type, for places where nothing else says
  /// which type it has.
  Status Typed(const ExpressionPtr& expression, int depth);
  Status List(const std::vector<ExpressionPtr>& values, int depth);

  Status Node(const ColumnRef& column, int depth);
  Status Node(const Literal& literal, int depth);
  Status Node(const Call& call, int depth);
  Status Node(const Binary& binary, int depth);
  Status Node(const Unary& unary, int depth);
  Status Node(const Case& node, int depth);
  Status Node(const InList& node, int depth);
  Status Node(const Exists& node, int depth);
  Status Node(const Cast& node, int depth);
  Status Node(const Ratio& node, int depth);
  Status Node(const Window& node, int depth);
  Status Node(const Percentile& node, int depth);
  Status Node(const TextMatch& node, int depth);
  Status Node(const TimeBucket& node, int depth);
  Status Node(const Comparable& node, int depth);
  Status Node(const Moment& node, int depth);
  Status Node(const Shifted& node, int depth);

  Status BucketByZone(const TimeBucket& node, int depth);
  Status HourByZone(const TimeBucket& node, const std::string& zone, int depth);
  Status BucketByFunction(const TimeBucket& node, int depth);
  Status BucketByArithmetic(const TimeBucket& node, int depth);

  bool Is(const Dialect& dialect) const { return dialect_.name == dialect.name; }
  void Bind(Literal literal);

  const Dialect& dialect_;
  Rendered out_;
  std::size_t nodes_ = 0;
};

}  // namespace schemaward::sql
