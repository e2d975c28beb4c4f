// IS NULL on a NOT NULL column.
#include <fmt/format.h>

#include "review/relations.h"
#include "review/rules/rules.h"

namespace schemaward::review {

Rule null_test_of_not_null() {
  Rule rule;
  rule.id = "null-test-of-not-null";
  rule.title = "IS NULL on a NOT NULL column";
  rule.message = "the column is NOT NULL, so the test is never true";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Nullability;
  rule.why = "No row passes; another column was probably meant.";
  rule.dialect = "postgres";
  rule.bad = "SELECT o.order_id FROM orders AS o WHERE o.total IS NULL";
  rule.good = "SELECT o.order_id FROM orders AS o WHERE o.shipped_at IS NULL";
  rule.fix = "rewrite-null-test-of-not-null";
  rule.fix_title = "Test the column that may be NULL, or remove the test";
  rule.fix_safety = Safety::Review;
  rule.needs = Needs::Schema;
  rule.on_expression = [](const Site& site, const Expression& node, Report& report) {
    if (!Says(node, " IS NULL") || !IsColumn(Operand(node, 0))) return;
    const BoundColumn* bound = site.names->Of(Operand(node, 0));
    if (bound == nullptr || bound->may_be_null || bound->use == nullptr ||
        bound->use->may_be_absent)
      return;
    report.At(
        node.begin, node.end,
        fmt::format("column \"{}\" is NOT NULL, so the test is never true", bound->column->name));
  };
  return rule;
}

}  // namespace schemaward::review
