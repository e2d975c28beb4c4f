#include "semantic/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "json/write.h"
#include "sql/read/expression.h"

namespace schemaward::semantic {
namespace {

std::string AggregateText(const Aggregate& aggregate) {
  const auto word = json::EnumNames<Aggregation>::kNames[static_cast<std::size_t>(aggregate.what)];
  const std::string operand =
      aggregate.operand == nullptr ? "rows" : sql::PrintExpression(aggregate.operand);
  return fmt::format("{} = {}({})", aggregate.column, word, operand);
}

}  // namespace

std::string RowsToText(const Model& model, const Rows& rows,
                       const std::optional<SemiAdditive>& semi, const Plan& plan) {
  std::string text = fmt::format("rows of {}", rows.fact->definition.name);
  for (const Instance& instance : rows.instances) {
    if (instance.leg == nullptr) continue;
    text += fmt::format("\n    {} join {} as {} by {}", instance.leg->to_one ? "to-one" : "to-many",
                        model.nodes()[instance.node].name, instance.alias,
                        model.joins()[instance.leg->join].definition.name);
  }
  for (const sql::ExpressionPtr& key : rows.keys)
    text += "\n    group " + sql::PrintExpression(key);
  for (const sql::ExpressionPtr& condition : rows.conditions)
    text += "\n    where " + sql::PrintExpression(condition);
  if (!rows.semi_joins.empty())
    text += fmt::format("\n    semi-join over {}", fmt::join(rows.semi_joins, ", "));
  if (rows.time) text += "\n    time " + rows.time->name;
  if (rows.spine) {
    const Spine& spine = plan.spines[*rows.spine];
    text += fmt::format("\n    {} periods", spine.periods.size());
    for (const auto& period : spine.periods)
      text += fmt::format(" {}:{}-{}", period.label, period.from, period.until);
  }
  if (rows.repeats()) text += "\n    each row once a group";
  if (semi) text += fmt::format("\n    {} moment by ({})", semi->take, fmt::join(semi->by, ", "));
  return text;
}

std::string Plan::ToText(const Model& model) const {
  std::string text;
  for (const PlanNode& node : nodes) {
    if (const auto* measure = std::get_if<MeasureNode>(&node)) {
      text += "aggregate " + RowsToText(model, measure->rows, measure->semi_additive, *this);
      for (const Aggregate& aggregate : measure->aggregates)
        text += "\n    " + AggregateText(aggregate);
    } else {
      const auto& conversion = std::get<ConversionNode>(node);
      text += "match " + RowsToText(model, conversion.base, std::nullopt, *this) + "\n  with " +
              RowsToText(model, conversion.conversion, std::nullopt, *this);
    }
    text += "\n";
  }
  if (nodes.size() > 1) text += "combine null-safely\n";
  for (const MetricValue& value : values)
    text += fmt::format("{} = {}\n", value.name, sql::PrintExpression(value.expression));
  return text;
}

}  // namespace schemaward::semantic
