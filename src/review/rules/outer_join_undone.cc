// An outer join undone by WHERE.
#include <algorithm>

#include "base/ascii.h"
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule outer_join_undone() {
  Rule rule;
  rule.id = "outer-join-undone";
  rule.title = "An outer join undone by WHERE";
  rule.message = "the condition drops the rows that the outer join kept";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Correctness;
  rule.why =
      "Rows without a partner have NULL there, which no comparison passes; the condition belongs "
      "into ON.";
  rule.dialect = "postgres";
  rule.bad = "SELECT t.id FROM t LEFT JOIN u ON u.t_id = t.id WHERE u.kind = 'x'";
  rule.good = "SELECT t.id FROM t LEFT JOIN u ON u.t_id = t.id AND u.kind = 'x'";
  rule.fix = "rewrite-outer-join-undone";
  rule.fix_title = "Move the condition to ON, or write an inner join";
  rule.on_core = [](const Site& /*site*/, const query::Core& node, Report& report) {
    if (node.where == nullptr) return;
    std::vector<std::string> optional;
    for (const auto& item : node.from)
      for (const query::TableExpression* join = item.get();
           join != nullptr && join->kind == query::TableKind::Join; join = join->left.get())
        if (join->join == " LEFT JOIN " && join->right->kind != query::TableKind::Join)
          optional.push_back(CalledBy(*join->right));
    for (const Expression* one : Conjuncts(*node.where)) {
      const bool compares = IsComparison(*one) || (IsForm(*one, "like") && !Says(*one, " NOT "));
      if (!compares) continue;
      for (std::size_t i = 0; i < 2; ++i) {
        const Expression* side = Operand(*one, i);
        if (!IsColumn(side) || side->names.size() != 2 || !IsConstant(Operand(*one, 1 - i)))
          continue;
        if (std::find(optional.begin(), optional.end(), LowerAscii(side->names.front().text)) !=
            optional.end())
          report.At(one->begin, one->end);
      }
    }
  };
  return rule;
}

}  // namespace schemaward::review
