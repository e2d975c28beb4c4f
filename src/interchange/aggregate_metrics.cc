#include "interchange/aggregate_metrics.h"

#include <algorithm>
#include <utility>

#include "interchange/aggregate_text.h"
#include "interchange/expressions.h"
#include "sql/read/expression.h"
#include "sql/rewrite.h"

namespace schemaward::interchange {
namespace {

using semantic::Metric;

Error Cannot(std::string_view reason) { return {ErrorKind::SqlSyntax, reason}; }

/// The entity of all columns of an operand.
Result<std::string> EntityOf(const std::string& operand, const std::vector<std::string>& entities) {
  std::string entity = entities.size() == 1 ? entities.front() : "";
  if (operand.empty()) {
    if (entity.empty()) return Cannot("count(*) does not say of which rows");
    return entity;
  }
  std::string found;
  WARD_TRY(const sql::ExpressionPtr tree, sql::ReadExpression(operand));
  WARD_CHECK(sql::VisitColumns(tree, [&](const sql::ColumnRef& column) -> Status {
    const std::string& owner = column.qualifier.empty() ? entity : column.qualifier;
    if (std::find(entities.begin(), entities.end(), owner) == entities.end())
      return Cannot("\"" + column.column + "\" is no column that can be told");
    if (!found.empty() && found != owner) return Cannot("it aggregates columns of two entities");
    found = owner;
    return Ok();
  }));
  if (found.empty()) found = entity;
  if (found.empty()) return Cannot("it names no column");
  return found;
}

Result<Metric> MetricOf(const AggregateCall& call, const std::vector<std::string>& entities) {
  Metric metric;
  metric.aggregation = call.aggregation;
  // count(case when ... then 1 end) is of the rows that its condition is about.
  const std::string& about =
      call.operand.empty() && !call.filters.empty() ? call.filters.front() : call.operand;
  WARD_TRY(metric.entity, EntityOf(about, entities));
  metric.filters = call.filters;
  if (call.operand.empty()) return metric;
  WARD_TRY(const std::string own, Renamed(call.operand, [&](const sql::ColumnRef& column) {
             return Spelled(column.column);
           }));
  if (auto column = PlainColumn(own))
    metric.column = *std::move(column);
  else
    metric.expression = own;
  return metric;
}

}  // namespace

Result<std::vector<Metric>> MetricsOfAggregates(const std::string& name, std::string_view text,
                                                const std::vector<std::string>& entities,
                                                const semantic::Trust& trust) {
  WARD_TRY(const AggregateText parts, ReadAggregates(text));
  std::vector<Metric> metrics;
  Metric whole;
  whole.name = name;
  whole.type = semantic::MetricType::Derived;
  whole.trust = trust;
  for (std::size_t i = 0; i < parts.calls.size(); ++i) {
    WARD_TRY(Metric metric, MetricOf(parts.calls[i], entities));
    metric.name = parts.IsOneCall() ? name : name + "_" + std::to_string(i + 1);
    metric.trust = trust;
    if (!semantic::IsDefinitionName(metric.name)) return Cannot("its parts cannot be named");
    semantic::MetricInput input;
    input.metric = metric.name;
    input.alias = AggregateText::NameOf(i);
    whole.inputs.push_back(std::move(input));
    metrics.push_back(std::move(metric));
  }
  if (parts.IsOneCall()) return metrics;
  whole.expression = parts.expression;
  metrics.push_back(std::move(whole));
  return metrics;
}

}  // namespace schemaward::interchange
