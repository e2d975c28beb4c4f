// A table without a primary key.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule table_without_key() {
  Rule rule;
  rule.id = "table-without-key";
  rule.title = "A table without a primary key";
  rule.message = "no row can be named, and duplicates are kept";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::SchemaDesign;
  rule.why = "Updates, replication and tools need a key.";
  rule.dialect = "postgres";
  rule.bad = "CREATE TABLE t (a int)";
  rule.good = "CREATE TABLE t (a int PRIMARY KEY)";
  rule.fix = "rewrite-table-without-key";
  rule.fix_title = "Declare a primary key";
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::CreateTable) return;
    if (node.is_temporary || node.query || node.definitions.empty()) return;
    for (const query::ColumnDefinition& column : node.definitions)
      if (column.is_primary_key) return;
    for (const query::TableConstraint& one : node.constraints)
      if (one.kind == query::ConstraintKind::PrimaryKey) return;
    report.At(node.target->begin, node.target->end);
  };
  return rule;
}

}  // namespace schemaward::review
