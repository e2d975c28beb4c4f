// TRUNCATE.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule truncate_table() {
  Rule rule;
  rule.id = "truncate-table";
  rule.title = "TRUNCATE";
  rule.message = "all rows go at once, and in some engines for good";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Safety;
  rule.why = "It takes no condition and fires no row triggers.";
  rule.dialect = "postgres";
  rule.bad = "TRUNCATE TABLE t";
  rule.good = "DELETE FROM t WHERE id = 1";
  rule.fix = "rewrite-truncate-table";
  rule.fix_title = "DELETE the rows that are meant, in a transaction";
  rule.fix_safety = Safety::Risky;
  rule.on_change = [](const Site& site, const query::Change& node, Report& report) {
    if (node.kind == query::ChangeKind::Truncate)
      report.At(site.statement.begin, site.statement.head_end);
  };
  return rule;
}

}  // namespace schemaward::review
