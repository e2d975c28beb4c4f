#pragma once

// The plan of a question: which rows are read for each measure, how they are aggregated at their
// own grain, and how the aggregates become the answer. Made by planner.h, printed by compile.h.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "semantic/metric_tree.h"
#include "semantic/model.h"
#include "sql/statement.h"

namespace schemaward::semantic {

/// A table in a measure's FROM. The first is the fact, each other is reached from its parent by a
/// leg and joined so that no row of the parent is lost.
struct Instance {
  std::size_t parent = 0;
  const Leg* leg = nullptr;  ///< null for the fact
  std::size_t node = 0;
  std::string alias;
  bool repeats = false;  ///< its leg, or one before it, may lead to several rows
};

/// The column of time by which a measure's rows are cut.
struct MeasureTime {
  sql::ExpressionPtr column;
  sql::TimeKind kind = sql::TimeKind::Naive;
  std::string own_zone;  ///< of a Naive column; may be empty
  std::string name;      ///< entity.column
  std::vector<std::string> via;
  bool is_inherited = false;  ///< of another entity than the fact
};

/// The rows that a measure reads.
struct Rows {
  const ModelEntity* fact = nullptr;
  std::vector<Instance> instances;
  std::vector<sql::ExpressionPtr> keys;  ///< one per group, in the question's order
  std::optional<MeasureTime> time;
  std::optional<std::size_t> spine;            ///< into Plan::spines: rows of other periods count
  std::vector<sql::ExpressionPtr> conditions;  ///< all hold
  std::vector<std::string> semi_joins;         ///< joins that only filter
  /// A group crosses a to-many join: rows come several times, and each is counted once a group.
  bool repeats() const;
};

struct Aggregate {
  Aggregation what = Aggregation::Count;
  sql::ExpressionPtr operand;  ///< null: rows are counted
  double fraction = 0.5;
  std::string column;
};

/// Aggregates over one set of rows.
struct MeasureNode {
  Rows rows;
  std::vector<Aggregate> aggregates;
  std::optional<SemiAdditive> semi_additive;
  std::vector<sql::ExpressionPtr> semi_by;
};

/// Conversion events, each counted for the last base event before it.
struct ConversionNode {
  Rows base;
  Rows conversion;
  std::vector<std::pair<sql::ExpressionPtr, sql::ExpressionPtr>> match;  ///< base, conversion
  std::optional<std::int64_t> window_micros;
  std::string column;
  std::string base_column;
};

using PlanNode = std::variant<MeasureNode, ConversionNode>;

/// Periods, and for each the rows that count in it. Bounds are moments of `bound_kind`.
struct Spine {
  struct Period {
    std::string label;
    std::int64_t from = 0;
    std::int64_t until = 0;
  };
  std::vector<Period> periods;
  sql::TimeKind label_kind = sql::TimeKind::Date;
  sql::TimeKind bound_kind = sql::TimeKind::Naive;
  bool has_label = true;  ///< false: one period that is the whole answer
};

struct PlanGroup {
  std::string name;  ///< canonical, as the answer names it
  std::string type;
};

struct PlanOrder {
  std::size_t column = 0;  ///< of the answer: time, groups, values
  bool descending = false;
};

struct PlanHaving {
  sql::ExpressionPtr condition;  ///< over leaves' columns
};

/// Of the answer's time.
struct PlanTime {
  std::optional<sql::TimeGrain> grain;
  std::string zone;  ///< as asked; may be empty
  int week_start = 1;
  sql::TimeKind label_kind = sql::TimeKind::Date;
  bool is_unavailable = false;  ///< a grain was asked and a measure has no time
};

struct Plan {
  std::vector<PlanNode> nodes;
  std::vector<Spine> spines;
  std::optional<std::size_t> gap_spine;  ///< every period of it is in the answer
  PlanTime time;
  std::vector<PlanGroup> groups;
  std::vector<MetricValue> values;
  std::vector<PlanHaving> having;
  std::vector<PlanOrder> order_by;
  std::int64_t limit = 0;

  std::vector<std::string> required_joins;  ///< sorted
  std::vector<std::string> fan_out_joins;
  std::vector<std::string> semi_joins;
  bool is_inflated_by_fan_out = false;      ///< sums over groups are more than the total
  std::vector<const ModelMetric*> metrics;  ///< that take part
  std::string reading;

  /// One line a node, for tests and the detailed answer.
  std::string ToText(const Model& model) const;
};

/// The rows of one node as text; equal texts are equal rows.
std::string RowsToText(const Model& model, const Rows& rows,
                       const std::optional<SemiAdditive>& semi, const Plan& plan);

}  // namespace schemaward::semantic
