// A value that a column never holds.
#include <algorithm>

#include <fmt/format.h>

#include "base/ascii.h"
#include "review/relations.h"
#include "review/rules/rules.h"
#include "review/schema_parts.h"

namespace schemaward::review {
namespace {

constexpr std::size_t kLabelsShown = 5;

bool HasLabel(const catalog::Column& column, std::string_view text) {
  return std::any_of(column.labels.begin(), column.labels.end(), [&](const std::string& label) {
    return EqualsIgnoringAsciiCase(label, text);
  });
}

void CheckLabel(const catalog::Column& column, const Expression* value, Report& report) {
  if (column.labels.empty() || !IsText(value) || HasLabel(column, value->value)) return;
  std::string labels;
  for (std::size_t i = 0; i < column.labels.size() && i < kLabelsShown; ++i)
    labels += (i == 0 ? "" : ", ") + column.labels[i];
  if (column.labels.size() > kLabelsShown) labels += ", ...";
  report.At(value->begin, value->end,
            fmt::format("column \"{}\" never holds this value; it holds {}", column.name, labels));
}

}  // namespace

Rule value_not_listed() {
  Rule rule;
  rule.id = "value-not-listed";
  rule.title = "A value that a column never holds";
  rule.message = "the column never holds this value";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Correctness;
  rule.why = "Its type or a CHECK lists what it holds, so no row is found.";
  rule.dialect = "postgres";
  rule.bad = "SELECT o.order_id FROM orders AS o WHERE o.customer_id = 7 AND o.status = 'shiped'";
  rule.good = "SELECT o.order_id FROM orders AS o WHERE o.customer_id = 7 AND o.status = 'shipped'";
  rule.fix = "rewrite-value-not-listed";
  rule.fix_title = "Write one of the listed values";
  rule.fix_safety = Safety::Review;
  rule.needs = Needs::Schema;
  rule.on_expression = [](const Site& site, const Expression& node, Report& report) {
    if (IsForm(node, "in_list")) {
      const catalog::Column* column = ColumnOf(site, Operand(node, 0));
      for (std::size_t i = 1; column != nullptr && Operand(node, i) != nullptr; ++i)
        CheckLabel(*column, Operand(node, i), report);
      return;
    }
    if (OperatorOf(node) != "=" && OperatorOf(node) != "<>") return;
    const auto comparison = ComparisonOf(node);
    if (!comparison) return;
    if (const catalog::Column* column = ColumnOf(site, comparison->column))
      CheckLabel(*column, comparison->other, report);
  };
  return rule;
}

}  // namespace schemaward::review
