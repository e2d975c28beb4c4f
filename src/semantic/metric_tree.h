#pragma once

// Metrics taken apart: what is aggregated from rows (leaves), and what is made of the aggregates
// (values).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "semantic/model.h"
#include "sql/statement.h"

namespace schemaward::semantic {

/// How long before, and how dates are matched.
struct Offset {
  Span span;
  Alignment align = Alignment::Calendar;
  bool operator==(const Offset&) const = default;
};

/// Which rows a period counts, beside its own.
struct Window {
  enum class What : std::uint8_t { Period, Trailing, ToDate, AllTime };
  What what = What::Period;
  Span trailing;
  std::string to_date;  ///< week | month | quarter | year
  bool operator==(const Window&) const = default;
};

/// Something that is aggregated from rows of one entity. `column` is its name among the aggregates.
struct MetricLeaf {
  const ModelMetric* metric = nullptr;  ///< Simple or Conversion
  std::vector<std::string> filters;     ///< beside the metric's own
  std::vector<Offset> offsets;          ///< applied in order
  Window window;
  std::string column;       ///< m0, m1, ...
  std::string base_column;  ///< of a Conversion: the number of base events
  bool SameAs(const MetricLeaf& other) const;
  /// True where rows of other periods count.
  bool IsWindowed() const { return !offsets.empty() || window.what != Window::What::Period; }
};

/// A column of the answer.
struct MetricValue {
  std::string name;  ///< as asked: revenue, revenue_previous
  const ModelMetric* metric = nullptr;
  sql::ExpressionPtr expression;  ///< over leaves' columns, without qualifier
  std::string unit;
};

struct MetricTree {
  std::vector<MetricLeaf> leaves;
  std::vector<MetricValue> values;
  std::vector<const ModelMetric*> used;  ///< each metric that takes part, each once
};

/// Adds `metric` under `name` to `tree`, moved by `offsets`. Errors: UnknownMetric for an input
/// that is not there; UnknownMeasure, SchemaDrift and others by a problem of a metric;
/// GrainMismatch when windows are nested; SqlSyntax. Requires: spans were checked when the model
/// was built.
Status AddMetric(const Model& model, const ModelMetric& metric, const std::string& name,
                 const std::vector<Offset>& offsets, MetricTree& tree);

}  // namespace schemaward::semantic
