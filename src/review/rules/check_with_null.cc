// A CHECK that compares with NULL.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule check_with_null() {
  Rule rule;
  rule.id = "check-with-null";
  rule.title = "A CHECK that compares with NULL";
  rule.message = "the check passes for every value";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Nullability;
  rule.why = "A comparison with NULL is unknown, and CHECK refuses only what is false.";
  rule.dialect = "postgres";
  rule.bad = "CREATE TABLE t (id int PRIMARY KEY, a int CHECK (a IN (1, NULL)))";
  rule.good = "CREATE TABLE t (id int PRIMARY KEY, a int CHECK (a IN (1, 2)))";
  rule.fix = "rewrite-check-with-null";
  rule.fix_title = "Write IS NULL or IS NOT NULL";
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::CreateTable) return;
    for (const query::ColumnDefinition& column : node.definitions) {
      if (!column.check || !IsForm(*column.check, "in_list") || Says(*column.check, "NOT IN"))
        continue;
      for (std::size_t i = 1; Operand(*column.check, i) != nullptr; ++i)
        if (IsNull(Operand(*column.check, i))) report.At(column.check->begin, column.check->end);
    }
  };
  return rule;
}

}  // namespace schemaward::review
