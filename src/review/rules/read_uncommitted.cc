// READ UNCOMMITTED.
#include <algorithm>

#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule read_uncommitted() {
  Rule rule;
  rule.id = "read-uncommitted";
  rule.title = "READ UNCOMMITTED";
  rule.message = "rows of transactions that may still be undone are read";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Transactions;
  rule.why = "Results can hold what never was.";
  rule.dialect = "postgres";
  rule.bad = "SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED";
  rule.good = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED";
  rule.fix = "rewrite-read-uncommitted";
  rule.fix_title = "Use READ COMMITTED or higher";
  rule.on_change = [](const Site& site, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::Other || node.words.empty()) return;
    const auto says = [&](std::string_view word) {
      return std::find(node.words.begin(), node.words.end(), word) != node.words.end();
    };
    if (node.words.front() == "SET" && says("UNCOMMITTED"))
      report.At(site.statement.begin, site.statement.head_end);
  };
  return rule;
}

}  // namespace schemaward::review
