// UNION without ALL.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule union_removes_duplicates() {
  Rule rule;
  rule.id = "union-removes-duplicates";
  rule.title = "UNION without ALL";
  rule.message = "duplicates are looked for and removed";
  rule.severity = Severity::Low;
  rule.level = Level::Warn;
  rule.category = Category::Performance;
  rule.why = "Where there are none, or they matter, UNION ALL is cheaper and right.";
  rule.dialect = "postgres";
  rule.bad = "SELECT a FROM t UNION SELECT a FROM u";
  rule.good = "SELECT a FROM t UNION ALL SELECT a FROM u";
  rule.fix = "rewrite-union-removes-duplicates";
  rule.fix_title = "Write UNION ALL where duplicates cannot occur or do no harm";
  rule.on_query = [](const Site& /*site*/, const query::Query& node, Report& report) {
    for (const query::SetTerm& term : node.terms)
      if (term.op == " UNION " && !term.nested) report.At(term.core.begin, term.core.head_end);
  };
  return rule;
}

}  // namespace schemaward::review
