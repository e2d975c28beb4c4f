// CREATE INDEX without CONCURRENTLY.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule index_blocks_writes() {
  Rule rule;
  rule.id = "index-blocks-writes";
  rule.title = "CREATE INDEX without CONCURRENTLY";
  rule.message = "writes wait until the index is built";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Transactions;
  rule.why = "CONCURRENTLY builds it while the table is in use.";
  rule.dialect = "postgres";
  rule.bad = "CREATE INDEX i ON t (a)";
  rule.good = "CREATE INDEX CONCURRENTLY i ON t (a)";
  rule.fix = "rewrite-index-blocks-writes";
  rule.fix_title = "CREATE INDEX CONCURRENTLY, outside of a transaction";
  rule.fix_safety = Safety::Safe;
  rule.only = {"postgres"};
  rule.on_change = [](const Site& site, const query::Change& node, Report& report) {
    if (node.kind == query::ChangeKind::CreateIndex && !node.is_concurrent)
      report.At(site.statement.begin, site.statement.head_end);
  };
  return rule;
}

}  // namespace schemaward::review
