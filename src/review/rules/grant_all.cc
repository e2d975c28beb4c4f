// All rights granted.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule grant_all() {
  Rule rule;
  rule.id = "grant-all";
  rule.title = "All rights granted";
  rule.message = "more is granted than is needed";
  rule.severity = Severity::High;
  rule.level = Level::Warn;
  rule.category = Category::Security;
  rule.why = "Each right that is not needed helps an attacker.";
  rule.dialect = "postgres";
  rule.bad = "GRANT ALL PRIVILEGES ON t TO app";
  rule.good = "GRANT SELECT ON t TO app";
  rule.fix = "rewrite-grant-all";
  rule.fix_title = "Grant only the rights that are used";
  rule.on_change = [](const Site& site, const query::Change& node, Report& report) {
    if (node.kind == query::ChangeKind::Grant && !node.privileges.empty() &&
        IsOneOf(node.privileges.front(), {"ALL", "ALL PRIVILEGES"}))
      report.At(site.statement.begin, site.statement.head_end);
  };
  return rule;
}

}  // namespace schemaward::review
