// A database or schema is dropped.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule drop_database() {
  Rule rule;
  rule.id = "drop-database";
  rule.title = "A database or schema is dropped";
  rule.message = "everything in it goes";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Safety;
  rule.why = "It is rarely meant in a script under review.";
  rule.dialect = "postgres";
  rule.bad = "DROP SCHEMA IF EXISTS shop";
  rule.good = "DROP TABLE IF EXISTS t";
  rule.fix = "rewrite-drop-database";
  rule.fix_title = "Take it out of the script; let a person do it after a backup";
  rule.fix_safety = Safety::Risky;
  rule.on_change = [](const Site& site, const query::Change& node, Report& report) {
    if (node.kind == query::ChangeKind::Drop && node.words.size() > 1 &&
        IsOneOf(node.words[1], {"DATABASE", "SCHEMA"}))
      report.At(site.statement.begin, site.statement.head_end);
  };
  return rule;
}

}  // namespace schemaward::review
