// NOT IN with a NULL in its list.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule not_in_null() {
  Rule rule;
  rule.id = "not-in-null";
  rule.title = "NOT IN with a NULL in its list";
  rule.message = "NOT IN with a NULL in its list is never true";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Nullability;
  rule.why = "One NULL makes the whole list unknown for every value that is not in it.";
  rule.dialect = "postgres";
  rule.bad = "SELECT id FROM t WHERE a NOT IN (1, NULL)";
  rule.good = "SELECT id FROM t WHERE a NOT IN (1, 2)";
  rule.fix = "rewrite-not-in-null";
  rule.fix_title = "Take the NULL out of the list";
  rule.on_expression = [](const Site& /*site*/, const Expression& node, Report& report) {
    if (!IsForm(node, "in_list") || !Says(node, "NOT IN")) return;
    for (std::size_t i = 1; Operand(node, i) != nullptr; ++i)
      if (IsNull(Operand(node, i))) report.At(node.begin, node.end);
  };
  return rule;
}

}  // namespace schemaward::review
