// Two columns of one name.
#include "base/ascii.h"
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule duplicate_output_name() {
  Rule rule;
  rule.id = "duplicate-output-name";
  rule.title = "Two columns of one name";
  rule.message = "two columns of the answer have the same name";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Naming;
  rule.why = "Programs that read by name get one of the two.";
  rule.dialect = "postgres";
  rule.bad = "SELECT a AS x, b AS x FROM t";
  rule.good = "SELECT a AS x, b AS y FROM t";
  rule.fix = "rewrite-duplicate-output-name";
  rule.fix_title = "Give one of the two another alias";
  rule.fix_safety = Safety::Safe;
  rule.on_core = [](const Site& /*site*/, const query::Core& node, Report& report) {
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (!node.outputs[i].alias.text.empty() &&
            EqualsIgnoringAsciiCase(node.outputs[i].alias.text, node.outputs[j].alias.text))
          report.At(node.outputs[i].begin, node.outputs[i].end);
  };
  return rule;
}

}  // namespace schemaward::review
