// The statement cannot be read: made where a statement is read, not on its tree.
#include "review/rules/rules.h"

namespace schemaward::review {

Rule syntax_error() {
  Rule rule;
  rule.id = "syntax-error";
  rule.title = "The statement cannot be read";
  rule.message = "the statement is not SQL of the dialect";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Correctness;
  rule.why = "Nothing else can be said of it, and the engine will refuse it.";
  rule.bad = "SELECT id FROM FROM t";
  rule.good = "SELECT id FROM t";
  return rule;
}

}  // namespace schemaward::review
