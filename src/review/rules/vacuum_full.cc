// VACUUM FULL.
#include <algorithm>

#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule vacuum_full() {
  Rule rule;
  rule.id = "vacuum-full";
  rule.title = "VACUUM FULL";
  rule.message = "the table is written anew while nobody can read it";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Safety;
  rule.why = "Plain VACUUM does not lock.";
  rule.dialect = "postgres";
  rule.bad = "VACUUM FULL t";
  rule.good = "VACUUM t";
  rule.fix = "rewrite-vacuum-full";
  rule.fix_title = "VACUUM without FULL, or rebuild the table online";
  rule.only = {"postgres"};
  rule.on_change = [](const Site& site, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::Other || node.words.empty()) return;
    const auto says = [&](std::string_view word) {
      return std::find(node.words.begin(), node.words.end(), word) != node.words.end();
    };
    if (node.words.front() == "VACUUM" && says("FULL"))
      report.At(site.statement.begin, site.statement.head_end);
  };
  return rule;
}

}  // namespace schemaward::review
