// A column defined twice.
#include "base/ascii.h"
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule column_defined_twice() {
  Rule rule;
  rule.id = "column-defined-twice";
  rule.title = "A column defined twice";
  rule.message = "the table has two columns of this name";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::SchemaDesign;
  rule.why = "The statement fails.";
  rule.dialect = "postgres";
  rule.bad = "CREATE TABLE t (id int PRIMARY KEY, a int, A int)";
  rule.good = "CREATE TABLE t (id int PRIMARY KEY, a int, b int)";
  rule.fix = "rewrite-column-defined-twice";
  rule.fix_title = "Remove or rename one of the two";
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::CreateTable) return;
    for (std::size_t i = 0; i < node.definitions.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (EqualsIgnoringAsciiCase(node.definitions[i].name.text, node.definitions[j].name.text) &&
            !node.definitions[i].name.is_quoted && !node.definitions[j].name.is_quoted)
          report.At(node.definitions[i].begin, node.definitions[i].end);
  };
  return rule;
}

}  // namespace schemaward::review
