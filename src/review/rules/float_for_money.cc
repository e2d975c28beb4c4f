// Money in a binary fraction.
#include "review/rules/rules.h"
#include "review/shapes.h"

namespace schemaward::review {

Rule float_for_money() {
  Rule rule;
  rule.id = "float-for-money";
  rule.title = "Money in a binary fraction";
  rule.message = "cents cannot be held exactly";
  rule.severity = Severity::High;
  rule.level = Level::Warn;
  rule.category = Category::Types;
  rule.judges_names = true;
  rule.why = "Sums drift; NUMERIC or whole cents do not.";
  rule.dialect = "postgres";
  rule.bad = "CREATE TABLE t (id int PRIMARY KEY, price real)";
  rule.good = "CREATE TABLE t (id int PRIMARY KEY, price numeric(12, 2))";
  rule.fix = "rewrite-float-for-money";
  rule.fix_title = "Use numeric with a fixed scale";
  rule.only = {"postgres", "mysql", "duckdb"};
  rule.on_change = [](const Site& /*site*/, const query::Change& node, Report& report) {
    if (node.kind != query::ChangeKind::CreateTable) return;
    for (const query::ColumnDefinition& column : node.definitions)
      if (IsOneOf(column.type.name,
                  {"REAL", "FLOAT", "DOUBLE", "DOUBLE PRECISION", "FLOAT4", "FLOAT8"}) &&
          HasWord(column.name.text,
                  {"price", "amount", "cost", "balance", "salary", "fee", "revenue"}))
        report.At(column.type.begin, column.type.end);
  };
  return rule;
}

}  // namespace schemaward::review
