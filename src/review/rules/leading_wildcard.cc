// LIKE with a leading wildcard.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule leading_wildcard() {
  Rule rule;
  rule.id = "leading-wildcard";
  rule.title = "LIKE with a leading wildcard";
  rule.message = "the pattern begins with a wildcard, so no ordered index helps";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Performance;
  rule.why =
      "Every row is read; a text index, or a column that holds the reversed value, avoids it.";
  rule.dialect = "postgres";
  rule.bad = "SELECT id FROM t WHERE a LIKE '%abc'";
  rule.good = "SELECT id FROM t WHERE a LIKE 'abc%'";
  rule.fix = "rewrite-leading-wildcard";
  rule.fix_title = "Search from the start of the text, or use a trigram or full-text index";
  rule.on_expression = [](const Site& /*site*/, const Expression& node, Report& report) {
    if (IsForm(node, "like") && (Says(node, "LIKE ")) && IsText(Operand(node, 1)) &&
        Operand(node, 1)->value.size() > 1 &&
        IsOneOf(Operand(node, 1)->value.substr(0, 1), {"%", "_"}))
      report.At(node.begin, node.end);
  };
  return rule;
}

}  // namespace schemaward::review
