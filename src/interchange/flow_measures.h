#pragma once

// Metrics of definitions as metrics of MetricFlow, simple ones with a measure of their own.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "interchange/flow_names.h"
#include "semantic/definitions.h"

namespace schemaward::interchange {

/// A metric as it is written: JSON texts, members in the order of the file.
struct WrittenMetric {
  std::string metric;
  std::string measure = "null";   ///< of a simple metric: what its model gains
  std::vector<std::string> lost;  ///< what its filters do not say as they did
};

/// By metric: why it cannot be written; nothing where it can. Each is looked at once.
using WhyNotWritten = std::map<std::string, std::optional<std::string>, std::less<>>;

/// Thread: one at a time. Lifetime: refers to the definitions and names.
class FlowMetrics {
 public:
  FlowMetrics(const semantic::Definitions& definitions, const FlowNames& names)
      : definitions_(definitions), names_(names) {}

  /// Errors: SqlSyntax with the reason why MetricFlow has no form for it.
  Result<WrittenMetric> Write(const semantic::Metric& metric);
  /// The entity whose rows its first leaf counts; empty where there is none.
  std::string ModelOf(const semantic::Metric& metric);

 private:
  const semantic::Definitions& definitions_;
  const FlowNames& names_;
  WhyNotWritten known_;
};

}  // namespace schemaward::interchange
