// NOT IN over a query.
#include "review/names.h"
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule not_in_subquery() {
  Rule rule;
  rule.id = "not-in-subquery";
  rule.title = "NOT IN over a query";
  rule.message =
      "NOT IN over a query gives no rows once the query gives a NULL; NOT EXISTS does not";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Nullability;
  rule.why = "A single NULL among the query's values makes NOT IN unknown for every row.";
  rule.dialect = "postgres";
  rule.bad = "SELECT id FROM t WHERE a NOT IN (SELECT b FROM u)";
  rule.good = "SELECT id FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.b = t.a)";
  rule.fix = "rewrite-not-in-subquery";
  rule.fix_title = "Write NOT EXISTS";
  rule.on_expression = [](const Site& site, const Expression& node, Report& report) {
    if (!IsForm(node, "in_list") || !Says(node, "NOT IN")) return;
    for (const query::Part& part : node.parts) {
      if (!part.query || part.query->terms.empty()) continue;
      // A query that leaves NULLs out is safe; where the column is known, not-in-nullable speaks.
      const bool is_known = site.names != nullptr && site.names->OutputOf(*part.query) &&
                            site.names->OutputOf(*part.query)->column != nullptr;
      if (!is_known && !ExcludesNull(*part.query)) report.At(node.begin, node.end);
    }
  };
  return rule;
}

}  // namespace schemaward::review
