// A function that waits.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule sleep_function() {
  Rule rule;
  rule.id = "sleep-function";
  rule.title = "A function that waits";
  rule.message = "the function holds a connection while it waits";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Security;
  rule.why = "It can use up all connections, and is a common probe of injections.";
  rule.dialect = "postgres";
  rule.bad = "SELECT pg_sleep(10)";
  rule.good = "SELECT now() AS x";
  rule.fix = "rewrite-sleep-function";
  rule.fix_title = "Wait in the program that calls";
  rule.on_expression = [](const Site& /*site*/, const Expression& node, Report& report) {
    if (IsCallOf(&node, {"pg_sleep", "pg_sleep_for", "pg_sleep_until", "sleep", "benchmark"}))
      report.At(node.begin, node.end);
  };
  return rule;
}

}  // namespace schemaward::review
