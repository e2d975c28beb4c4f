// DROP without IF EXISTS.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule drop_without_if_exists() {
  Rule rule;
  rule.id = "drop-without-if-exists";
  rule.title = "DROP without IF EXISTS";
  rule.message = "a second run of the script stops here";
  rule.severity = Severity::Low;
  rule.level = Level::Warn;
  rule.category = Category::Safety;
  rule.why = "IF EXISTS makes it safe to repeat.";
  rule.dialect = "postgres";
  rule.bad = "DROP TABLE t";
  rule.good = "DROP TABLE IF EXISTS t";
  rule.fix = "rewrite-drop-without-if-exists";
  rule.fix_title = "Add IF EXISTS";
  rule.fix_safety = Safety::Safe;
  rule.on_change = [](const Site& site, const query::Change& node, Report& report) {
    if (node.kind == query::ChangeKind::Drop && !node.if_exists && !node.is_temporary &&
        node.words.size() > 1 && IsOneOf(node.words[1], {"TABLE", "VIEW", "INDEX"}))
      report.At(site.statement.begin, site.statement.head_end);
  };
  return rule;
}

}  // namespace schemaward::review
