// DROP or TRUNCATE with CASCADE.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule drop_cascade() {
  Rule rule;
  rule.id = "drop-cascade";
  rule.title = "DROP or TRUNCATE with CASCADE";
  rule.message = "what depends on it goes too, whatever it is";
  rule.severity = Severity::High;
  rule.level = Level::Warn;
  rule.category = Category::Safety;
  rule.why = "Views and keys vanish that the statement does not name.";
  rule.dialect = "postgres";
  rule.bad = "DROP TABLE IF EXISTS t CASCADE";
  rule.good = "DROP TABLE IF EXISTS t";
  rule.fix = "rewrite-drop-cascade";
  rule.fix_title = "Name what depends on it and drop that first, without CASCADE";
  rule.fix_safety = Safety::Risky;
  rule.on_change = [](const Site& site, const query::Change& node, Report& report) {
    const bool takes_away =
        node.kind == query::ChangeKind::Drop || node.kind == query::ChangeKind::Truncate;
    if (takes_away && node.is_cascade) report.At(site.statement.begin, site.statement.head_end);
  };
  return rule;
}

}  // namespace schemaward::review
