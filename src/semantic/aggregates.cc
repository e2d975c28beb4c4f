#include "semantic/aggregates.h"

#include <cstdint>
#include <utility>

namespace schemaward::semantic {

sql::ExpressionPtr CountRows() {
  return sql::MakeCall({.function = "count", .arguments = {}, .star = true});
}

sql::ExpressionPtr Call1(const char* function, sql::ExpressionPtr argument, bool distinct) {
  return sql::MakeCall(
      {.function = function, .arguments = {std::move(argument)}, .distinct = distinct});
}

sql::ExpressionPtr AggregateExpression(const Aggregate& aggregate, sql::ExpressionPtr value) {
  switch (aggregate.what) {
    case Aggregation::Sum:
      return Call1("sum", std::move(value));
    case Aggregation::None:
    case Aggregation::Count:
      return value == nullptr ? CountRows() : Call1("count", std::move(value));
    case Aggregation::CountDistinct:
      return Call1("count", std::move(value), true);
    case Aggregation::Avg:
      return Call1("avg", std::move(value));
    case Aggregation::Min:
      return Call1("min", std::move(value));
    case Aggregation::Max:
      return Call1("max", std::move(value));
    case Aggregation::Median:
      return sql::Make({sql::Percentile{std::move(value), 0.5}});
    case Aggregation::Percentile:
      return sql::Make({sql::Percentile{std::move(value), aggregate.fraction}});
    case Aggregation::SumBoolean: {
      sql::Case when;
      when.branches.push_back({std::move(value), sql::MakeLiteral({std::int64_t{1}})});
      when.otherwise = sql::MakeLiteral({std::int64_t{0}});
      return Call1("sum", sql::Make({std::move(when)}));
    }
  }
  return nullptr;
}

}  // namespace schemaward::semantic
