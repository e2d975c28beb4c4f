// Paging by a large OFFSET.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule deep_offset() {
  Rule rule;
  rule.id = "deep-offset";
  rule.title = "Paging by a large OFFSET";
  rule.message = "the rows before the page are read and thrown away";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Performance;
  rule.why = "The cost grows with the page; a condition on the last key seen does not.";
  rule.dialect = "postgres";
  rule.bad = "SELECT id FROM t ORDER BY id LIMIT 20 OFFSET 50000";
  rule.good = "SELECT id FROM t WHERE id > 50000 ORDER BY id LIMIT 20";
  rule.fix = "rewrite-deep-offset";
  rule.fix_title = "Page by the last key seen: WHERE key > ? ORDER BY key LIMIT n";
  rule.on_query = [](const Site& /*site*/, const query::Query& node, Report& report) {
    constexpr std::size_t kDigits = 4;  // from 1000
    if (IsInteger(node.offset.get()) && node.offset->text.size() >= kDigits)
      report.At(node.offset->begin, node.offset->end);
  };
  return rule;
}

}  // namespace schemaward::review
