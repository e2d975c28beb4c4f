// Checks of foreign keys switched off.
#include <algorithm>

#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule key_checks_off() {
  Rule rule;
  rule.id = "key-checks-off";
  rule.title = "Checks of foreign keys switched off";
  rule.message = "rows that refer to nothing can be stored";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Safety;
  rule.why = "They are not checked again when it is switched on.";
  rule.dialect = "mysql";
  rule.bad = "SET FOREIGN_KEY_CHECKS = 0";
  rule.good = "SET NAMES utf8mb4";
  rule.fix = "rewrite-key-checks-off";
  rule.fix_title = "Load parents before children and leave the checks on";
  rule.fix_safety = Safety::Risky;
  rule.on_change = [](const Site& site, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::Other || node.words.empty()) return;
    const auto says = [&](std::string_view word) {
      return std::find(node.words.begin(), node.words.end(), word) != node.words.end();
    };
    if (node.words.front() == "SET" &&
        (says("FOREIGN_KEY_CHECKS") || says("SESSION_REPLICATION_ROLE")))
      report.At(site.statement.begin, site.statement.head_end);
  };
  return rule;
}

}  // namespace schemaward::review
