// A transaction that is not ended.
#include "review/rules/rules.h"

namespace schemaward::review {
Rule transaction_left_open() {
  Rule rule;
  rule.id = "transaction-left-open";
  rule.title = "A transaction that is not ended";
  rule.message = "the script ends while the transaction is open";
  rule.severity = Severity::High;
  rule.category = Category::Transactions;
  rule.why =
      "What it changed is undone when the connection ends, and its locks are held until then.";
  rule.bad = "BEGIN; UPDATE t SET a = 1 WHERE id = 1";
  rule.good = "BEGIN; UPDATE t SET a = 1 WHERE id = 1; COMMIT";
  rule.fix = "add-commit";
  rule.fix_title = "End the script with COMMIT or ROLLBACK";
  rule.fix_safety = Safety::Safe;
  rule.on_script = [](const query::Script& script, Report& report) {
    const query::ScriptStatement* open = nullptr;
    for (const query::ScriptStatement& statement : script.statements) {
      if (!statement.change) continue;
      const query::ChangeKind kind = statement.change->kind;
      if (kind == query::ChangeKind::Begin) open = &statement;
      if (kind == query::ChangeKind::Commit || kind == query::ChangeKind::Rollback) open = nullptr;
    }
    if (open != nullptr) report.At(open->begin, open->head_end);
  };
  return rule;
}

}  // namespace schemaward::review
