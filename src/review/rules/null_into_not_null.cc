// NULL for a NOT NULL column.
#include <fmt/format.h>

#include "base/ascii.h"
#include "review/relations.h"
#include "review/rules/rules.h"

namespace schemaward::review {
namespace {

const catalog::Column* FindIn(const catalog::Table& table, std::string_view name) {
  for (const catalog::Column& column : table.columns)
    if (EqualsIgnoringAsciiCase(column.name, name)) return &column;
  return nullptr;
}

void CheckNull(const catalog::Table& table, std::string_view name, const Expression* value,
               Report& report) {
  const catalog::Column* column = FindIn(table, name);
  if (column == nullptr || column->nullable || !IsNull(value)) return;
  report.At(value->begin, value->end, fmt::format("column \"{}\" is NOT NULL", column->name));
}

}  // namespace

Rule null_into_not_null() {
  Rule rule;
  rule.id = "null-into-not-null";
  rule.title = "NULL for a NOT NULL column";
  rule.message = "the column is NOT NULL";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Nullability;
  rule.why = "The statement fails.";
  rule.dialect = "postgres";
  rule.bad = "UPDATE orders SET total = NULL WHERE order_id = 7";
  rule.good = "UPDATE orders SET shipped_at = NULL WHERE order_id = 7";
  rule.fix = "rewrite-null-into-not-null";
  rule.fix_title = "Give a value";
  rule.fix_safety = Safety::Review;
  rule.needs = Needs::Schema;
  rule.on_change = [](const Site& site, const query::Change& node, Report& report) {
    const catalog::Table* table = site.names->TargetOf(node);
    if (table == nullptr) return;
    for (const query::Assignment& one : node.assignments)
      if (one.column.size() == 1)
        CheckNull(*table, one.column.front().text, one.value.get(), report);
    for (const auto& row : node.rows)
      for (std::size_t i = 0; i < row.size() && i < node.columns.size(); ++i)
        CheckNull(*table, node.columns[i].text, row[i].get(), report);
  };
  return rule;
}

}  // namespace schemaward::review
