// A table engine without transactions.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule engine_without_transactions() {
  Rule rule;
  rule.id = "engine-without-transactions";
  rule.title = "A table engine without transactions";
  rule.message = "ROLLBACK does nothing for this table";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Transactions;
  rule.why = "A failure halfway leaves half of the change.";
  rule.dialect = "mysql";
  rule.bad = "CREATE TABLE t (id int PRIMARY KEY) ENGINE=MyISAM";
  rule.good = "CREATE TABLE t (id int PRIMARY KEY) ENGINE=InnoDB";
  rule.fix = "rewrite-engine-without-transactions";
  rule.fix_title = "Use InnoDB";
  rule.only = {"mysql"};
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::CreateTable) return;
    for (const std::string& word : node.options)
      if (IsOneOf(word, {"MYISAM", "ARCHIVE", "CSV"}))
        report.At(node.target->begin, node.target->end);
  };
  return rule;
}

}  // namespace schemaward::review
