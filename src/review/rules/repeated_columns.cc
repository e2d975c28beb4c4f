// Columns numbered like a list.
#include "base/ascii.h"
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule repeated_columns() {
  Rule rule;
  rule.id = "repeated-columns";
  rule.title = "Columns numbered like a list";
  rule.message = "numbered columns hold a list";
  rule.severity = Severity::Low;
  rule.level = Level::Warn;
  rule.category = Category::SchemaDesign;
  rule.judges_names = true;
  rule.why = "A table of their own takes any number and can be searched.";
  rule.dialect = "postgres";
  rule.bad = "CREATE TABLE t (id int PRIMARY KEY, phone1 text, phone2 text, phone3 text)";
  rule.good = "CREATE TABLE t (id int PRIMARY KEY, phone text)";
  rule.fix = "rewrite-repeated-columns";
  rule.fix_title = "Put the values into a table of their own, a row each";
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::CreateTable) return;
    for (const query::ColumnDefinition& column : node.definitions) {
      const std::string name = LowerAscii(column.name.text);
      if (name.size() < 2 || name.back() != '3') continue;
      const std::string stem = name.substr(0, name.size() - 1);
      std::size_t found = 0;
      for (const query::ColumnDefinition& other : node.definitions) {
        const std::string lowered = LowerAscii(other.name.text);
        if (lowered == stem + "1" || lowered == stem + "2") ++found;
      }
      if (found == 2) report.At(column.begin, column.end);
    }
  };
  return rule;
}

}  // namespace schemaward::review
