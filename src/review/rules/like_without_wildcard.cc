// LIKE without a wildcard.
#include <algorithm>

#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule like_without_wildcard() {
  Rule rule;
  rule.id = "like-without-wildcard";
  rule.title = "LIKE without a wildcard";
  rule.message = "the pattern has no wildcard, so LIKE is an equality";
  rule.severity = Severity::Low;
  rule.level = Level::Warn;
  rule.category = Category::Correctness;
  rule.why = "= says what is meant and uses any index.";
  rule.dialect = "postgres";
  rule.bad = "SELECT id FROM t WHERE a LIKE 'abc'";
  rule.good = "SELECT id FROM t WHERE a LIKE 'abc%'";
  rule.fix = "rewrite-like-without-wildcard";
  rule.fix_title = "Write =, or add the wildcard that is meant";
  rule.fix_safety = Safety::Safe;
  rule.on_expression = [](const Site& /*site*/, const Expression& node, Report& report) {
    if (IsForm(node, "like") && (Says(node, " LIKE ")) && !Says(node, " ESCAPE ") &&
        IsText(Operand(node, 1)) &&
        Operand(node, 1)->value.find_first_of("%_") == std::string::npos)
      report.At(node.begin, node.end);
  };
  return rule;
}

}  // namespace schemaward::review
