// BETWEEN dates on a moment.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule between_dates_on_timestamp() {
  Rule rule;
  rule.id = "between-dates-on-timestamp";
  rule.title = "BETWEEN dates on a moment";
  rule.message = "the upper date means its midnight, so the last day is left out";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Correctness;
  rule.judges_names = true;
  rule.why =
      "A moment within the last day is later than its midnight; >= and < the day after take it in.";
  rule.dialect = "postgres";
  rule.bad = "SELECT id FROM t WHERE created_at BETWEEN '2024-01-01' AND '2024-01-31'";
  rule.good = "SELECT id FROM t WHERE created_at >= '2024-01-01' AND created_at < '2024-02-01'";
  rule.fix = "rewrite-between-dates-on-timestamp";
  rule.fix_title = "Write >= the first day and < the day after the last";
  rule.on_expression = [](const Site& /*site*/, const Expression& node, Report& report) {
    if (!IsForm(node, "between") || !IsColumn(Operand(node, 0)) || !IsText(Operand(node, 2)))
      return;
    constexpr std::size_t kDateLength = 10;
    const std::string& high = Operand(node, 2)->value;
    const bool is_date = high.size() == kDateLength && high[4] == '-' && high[7] == '-';
    if (is_date && HasWord(LastName(Operand(node, 0)->names), {"at", "timestamp", "datetime"}))
      report.At(node.begin, node.end);
  };
  return rule;
}

}  // namespace schemaward::review
