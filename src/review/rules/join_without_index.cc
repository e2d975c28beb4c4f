// A join that no index serves.
#include <fmt/format.h>

#include "review/relations.h"
#include "review/rules/rules.h"

namespace schemaward::review {

Rule join_without_index() {
  Rule rule;
  rule.id = "join-without-index";
  rule.title = "A join that no index serves";
  rule.message = "no index begins with a column of the join";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Performance;
  rule.why = "The engine compares all rows of one table with all of the other, or sorts both.";
  rule.dialect = "postgres";
  rule.bad =
      "SELECT o.order_id, i.line FROM orders AS o JOIN order_items AS i ON i.product = o.status";
  rule.good =
      "SELECT o.order_id, i.line FROM orders AS o JOIN order_items AS i ON i.order_id = o.order_id";
  rule.fix = "rewrite-join-without-index";
  rule.fix_title = "Join by a key, or index the column on the side with more rows";
  rule.fix_safety = Safety::Safe;
  rule.needs = Needs::Schema;
  rule.on_core = [](const Site& site, const query::Core& node, Report& report) {
    for (const Equality& one : ReadConditions(node, *site.names).equalities) {
      if (one.at == nullptr || one.a.use == one.b.use) continue;
      const catalog::Table& a = *one.a.use->table;
      const catalog::Table& b = *one.b.use->table;
      if (!HasIndexFacts(a) || !HasIndexFacts(b) || IsSmall(a) || IsSmall(b)) continue;
      if (LeadsAnIndex(a, one.a.name) || LeadsAnIndex(b, one.b.name)) continue;
      report.At(one.at->begin, one.at->end,
                fmt::format("no index of \"{}\" begins with \"{}\", nor one of \"{}\" with \"{}\"",
                            a.name, one.a.name, b.name, one.b.name));
    }
  };
  return rule;
}

}  // namespace schemaward::review
