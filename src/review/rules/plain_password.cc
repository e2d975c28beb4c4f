// A column for passwords.
#include "base/ascii.h"
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule plain_password() {
  Rule rule;
  rule.id = "plain-password";
  rule.title = "A column for passwords";
  rule.message = "a column named password holds what is typed, or should say that it is a hash";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Security;
  rule.judges_names = true;
  rule.why = "Passwords are kept as slow, salted hashes only.";
  rule.dialect = "postgres";
  rule.bad = "CREATE TABLE t (id int PRIMARY KEY, password text)";
  rule.good = "CREATE TABLE t (id int PRIMARY KEY, password_hash text)";
  rule.fix = "rewrite-plain-password";
  rule.fix_title = "Keep a slow salted hash, and name the column for it";
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::CreateTable) return;
    for (const query::ColumnDefinition& column : node.definitions)
      if (IsOneOf(LowerAscii(column.name.text), {"password", "passwd", "pwd"}))
        report.At(column.begin, column.end);
  };
  return rule;
}

}  // namespace schemaward::review
