#pragma once

// Inside of MetricFlow's import: its metrics, one file each kind. AddMetrics is the way in.

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "interchange/flow_project.h"
#include "semantic/definitions.h"

namespace schemaward::interchange {

/// Why a metric is not imported.
Error Cannot(std::string_view reason);

/// A length of time as definitions write it, of a text or of {count, granularity}; empty where
/// there is none. Errors: SqlSyntax for one that definitions do not have.
Result<std::string> CheckedSpan(const json::Value& window, std::string_view member);

/// Reads the metrics of one project. Thread: owner.  Lifetime: keeps its arguments.
class MetricsReader {
 public:
  MetricsReader(const FlowProject& project, semantic::Definitions& definitions, Losses& losses)
      : project_(project), definitions_(definitions), losses_(losses) {}

  void Read();

 private:
  /// A reference to a measure or metric with what stands beside its name.
  struct Input {
    std::string name;
    const json::Value* node = nullptr;  ///< null for a name alone
    std::vector<std::string> filters;
  };

  // All metrics. flow_metrics.cc
  void Put(const std::string& name, Result<semantic::Metric> metric);
  void Lost(const std::string& metric, std::string_view member, std::string_view reason);
  /// What an export of ours made the metric of, where nobody changed it or its measure.
  std::optional<semantic::Metric> NotedMetric(const json::Value& node) const;
  Result<semantic::Metric> ReadMetric(const std::string& name, const json::Value& node);
  static void Describe(const json::Value& node, semantic::Metric& metric);
  static Input InputOf(const json::Value& node);
  /// What an input says of periods without rows: not carried, since answers have no such rows
  /// unless gaps are asked for.
  void NoteFill(const std::string& metric, const json::Value& node);
  semantic::Metric NewMetric(const std::string& name, semantic::MetricType type);

  // Metrics over a measure. flow_simple.cc
  static Result<semantic::Aggregation> AggregationOf(const json::Value& measure);
  static Status SetOperand(const std::string& name, const json::Value& measure,
                           semantic::Metric& metric);
  Status SetPercentile(const json::Value& measure, semantic::Metric& metric);
  /// The column that a window grouping or the key of a conversion names.
  static Result<std::string> ColumnOf(const FlowModel& model, std::string name);
  static Status SetSemiAdditive(const FlowModel& model, const json::Value& measure,
                                const FlowDimension* time, semantic::Metric& metric);
  const FlowDimension* TimeOf(const FlowModel& model, const json::Value& measure);
  /// A metric over a measure, or over what a simple metric of newer manifests says itself.
  Result<semantic::Metric> Simple(const std::string& name, const json::Value& measure,
                                  const FlowModel& model, const std::vector<std::string>& filters);
  Result<std::string> Translate(const FlowModel& model, const FlowDimension* time,
                                const std::string& filter);
  Result<semantic::Metric> ReadSimple(const std::string& name, const json::Value& node);
  /// Newer manifests write the expression beside the aggregation or in it.
  const json::Value& WithExpr(const json::Value& own, const json::Value& node);
  /// The name of a simple metric over the measure with these filters: one that is there already,
  /// else a new one.
  Result<std::string> SimpleOver(const Input& input, const std::string& user);
  static bool SameNumber(semantic::Metric a, const semantic::Metric& b);

  // Metrics over metrics. flow_inputs.cc
  /// The model whose rows a metric's first leaf counts, for its filters' names; null where unclear.
  const FlowModel* FactOf(const std::string& name, int depth = 0);
  /// All inputs must count rows of one model.
  const FlowModel* FactOfInputs(const json::Value& params, int depth);
  /// A metric as an input of another one, whose own filters come to it too.
  Result<semantic::MetricInput> MetricInputOf(const json::Value& node,
                                              std::vector<std::string> filters);
  Result<std::vector<std::string>> TranslateAll(const std::string& metric,
                                                const std::vector<std::string>& filters);
  Result<semantic::Metric> ReadRatio(const std::string& name, const json::Value& node);
  Result<semantic::Metric> ReadDerived(const std::string& name, const json::Value& node);
  Result<semantic::Metric> ReadCumulative(const std::string& name, const json::Value& node);

  // Conversions. flow_conversion.cc
  /// Conversions count events, so the measure must count rows.
  static Status CheckCounts(const FlowModel& model, const json::Value& measure,
                            const std::string& name);
  /// One side of a conversion: the name of a simple metric.
  Result<std::string> SideOf(const json::Value& params, std::string_view side,
                             const std::string& user, const FlowModel*& model);
  Result<semantic::Metric> ReadConversion(const std::string& name, const json::Value& node);

  const FlowProject& project_;
  semantic::Definitions& definitions_;
  Losses& losses_;
  std::set<std::string, std::less<>> names_;        ///< of metrics, taken
  std::vector<std::unique_ptr<json::Value>> kept_;  ///< values made here that others point to
};

}  // namespace schemaward::interchange
