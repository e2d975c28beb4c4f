// A form that is not analysed: made where a statement is read, not on its tree.
#include "review/rules/rules.h"

namespace schemaward::review {

Rule not_read() {
  Rule rule;
  rule.id = "not-read";
  rule.title = "A form that is not analysed";
  rule.message = "the statement has a form that is not analysed";
  rule.severity = Severity::Low;
  rule.level = Level::Warn;
  rule.category = Category::Portability;
  rule.why = "It may be valid for its engine; no rule has looked at it.";
  rule.bad = "SELECT id FROM t WHERE name = U&'d!0061ta' UESCAPE '!'";
  rule.good = "SELECT id FROM t";
  return rule;
}

}  // namespace schemaward::review
