#pragma once

// Expressions over aggregates, sum(a.x) / count(*), which other programs write as one text.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "interchange/report.h"
#include "semantic/definitions.h"

namespace schemaward::interchange {

/// One aggregate of an expression.
struct AggregateCall {
  semantic::Aggregation aggregation = semantic::Aggregation::None;
  std::string operand;               ///< as written; empty: rows are counted
  std::vector<std::string> filters;  ///< of sum(case when ... then x end) and the like
};

/// sum(x) - min(y) as "agg_1 - agg_2" and its two aggregates.
struct AggregateText {
  std::string expression;
  std::vector<AggregateCall> calls;
  /// The name that stands for a call in the expression.
  static std::string NameOf(std::size_t call);
  bool IsOneCall() const { return calls.size() == 1 && expression == NameOf(0); }
};

inline constexpr std::size_t kAggregatesMax = 50;  ///< of one expression

/// Takes the expression apart. Errors: SqlSyntax where it holds what definitions have no form for,
/// or no aggregate at all. Thread: any.
Result<AggregateText> ReadAggregates(std::string_view text);

/// Returns the aggregate of a simple metric as SQL, its columns qualified with the entity's name;
/// filters, its own and `more`, as a CASE. Errors: SqlSyntax for what SQL of one query cannot say.
Result<std::string> PrintAggregate(const semantic::Metric& metric,
                                   const std::vector<std::string>& more);

}  // namespace schemaward::interchange
