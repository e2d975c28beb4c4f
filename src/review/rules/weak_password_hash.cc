// A fast hash of a password.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule weak_password_hash() {
  Rule rule;
  rule.id = "weak-password-hash";
  rule.title = "A fast hash of a password";
  rule.message = "a fast hash of a password is guessed quickly";
  rule.severity = Severity::High;
  rule.level = Level::Warn;
  rule.category = Category::Security;
  rule.judges_names = true;
  rule.why = "MD5 and SHA-1 are made to be fast; a password needs a slow, salted hash.";
  rule.dialect = "postgres";
  rule.bad = "SELECT md5(password) AS h FROM accounts";
  rule.good = "SELECT md5(body) AS h FROM accounts";
  rule.fix = "rewrite-weak-password-hash";
  rule.fix_title = "Use bcrypt, scrypt or Argon2";
  rule.on_expression = [](const Site& /*site*/, const Expression& node, Report& report) {
    if (!IsCallOf(&node, {"md5", "sha1", "sha"})) return;
    for (const Expression* one : Arguments(node))
      if (IsColumn(one) && HasWord(LastName(one->names), {"password", "passwd", "pwd"}))
        report.At(node.begin, node.end);
  };
  return rule;
}

}  // namespace schemaward::review
