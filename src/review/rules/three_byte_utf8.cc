// utf8 of three bytes.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule three_byte_utf8() {
  Rule rule;
  rule.id = "three-byte-utf8";
  rule.title = "utf8 of three bytes";
  rule.message = "MySQL's utf8 holds no character beyond three bytes";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Types;
  rule.why = "utf8mb4 holds all of Unicode.";
  rule.dialect = "mysql";
  rule.bad = "CREATE TABLE t (id int PRIMARY KEY) DEFAULT CHARSET=utf8";
  rule.good = "CREATE TABLE t (id int PRIMARY KEY) DEFAULT CHARSET=utf8mb4";
  rule.fix = "rewrite-three-byte-utf8";
  rule.fix_title = "Use utf8mb4";
  rule.fix_safety = Safety::Safe;
  rule.only = {"mysql"};
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::CreateTable) return;
    for (const std::string& word : node.options)
      if (word == "UTF8" || word == "UTF8MB3") report.At(node.target->begin, node.target->end);
  };
  return rule;
}

}  // namespace schemaward::review
