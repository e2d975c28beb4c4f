// INSERT without a required column.
#include <algorithm>

#include <fmt/format.h>

#include "base/ascii.h"
#include "review/relations.h"
#include "review/rules/rules.h"

namespace schemaward::review {
namespace {

// True where an insert may leave the column out.
bool FillsItself(const Site& site, const catalog::Table& table, const catalog::Column& column) {
  if (column.nullable || column.default_value || column.identity || column.generated ||
      column.domain)
    return true;
  const bool counts =
      site.dialect.name == sql::Sqlite().name || site.dialect.name == sql::MySql().name;
  return counts && table.primary_key && table.primary_key->columns.size() == 1 &&
         table.primary_key->columns.front() == column.name && FamilyOf(column) == Family::Number;
}

}  // namespace

Rule insert_without_required() {
  Rule rule;
  rule.id = "insert-without-required";
  rule.title = "INSERT without a required column";
  rule.message = "a NOT NULL column without a default gets no value";
  rule.severity = Severity::High;
  rule.level = Level::Error;
  rule.category = Category::Correctness;
  rule.why = "The statement fails.";
  rule.dialect = "postgres";
  rule.bad =
      "INSERT INTO orders (order_id, customer_id, total, ordered_at) VALUES (1, 2, 10, now())";
  rule.good = "INSERT INTO customers (customer_id, name) VALUES (1, 'Ada')";
  rule.fix = "rewrite-insert-without-required";
  rule.fix_title = "Give the column a value";
  rule.fix_safety = Safety::Review;
  rule.needs = Needs::Schema;
  rule.on_change = [](const Site& site, const query::Change& node, Report& report) {
    const catalog::Table* table = site.names->TargetOf(node);
    if (table == nullptr || node.kind != query::ChangeKind::Insert || node.columns.empty()) return;
    for (const catalog::Column& column : table->columns) {
      const bool is_given = std::any_of(
          node.columns.begin(), node.columns.end(),
          [&](const query::Name& name) { return EqualsIgnoringAsciiCase(name.text, column.name); });
      if (is_given || FillsItself(site, *table, column)) continue;
      report.At(node.target->begin, node.target->end,
                fmt::format("column \"{}\" is NOT NULL without a default, and gets no value",
                            column.name));
      return;
    }
  };
  return rule;
}

}  // namespace schemaward::review
