// Values of different kinds compared.
#include <optional>

#include <fmt/format.h>

#include "review/relations.h"
#include "review/rules/rules.h"
#include "review/schema_parts.h"

namespace schemaward::review {
namespace {

bool IsNumeric(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.eE+- ") == std::string_view::npos;
}

// What two values hold where an engine compares them only by a cast, or fails.
std::optional<std::pair<Family, Family>> Mismatch(const Site& site, const catalog::Column& column,
                                                  const Expression& other) {
  const Family mine = FamilyOf(column);
  const bool is_sqlite = site.dialect.name == sql::Sqlite().name;
  Family theirs = Family::NotKnown;
  if (const catalog::Column* second = ColumnOf(site, &other); second != nullptr && !is_sqlite)
    theirs = FamilyOf(*second);
  else if (IsText(&other) && mine == Family::Number && !IsNumeric(other.value))
    theirs = Family::Text;
  else if (IsLiteral(&other) && (other.form == "integer" || other.form == "decimal") &&
           !is_sqlite && (mine == Family::Text || mine == Family::Moment))
    theirs = Family::Number;
  if (mine == theirs || mine == Family::NotKnown || theirs == Family::NotKnown) return std::nullopt;
  const auto is_truth = [](Family one) { return one == Family::Boolean || one == Family::Number; };
  if (site.dialect.name == sql::MySql().name && is_truth(mine) && is_truth(theirs))
    return std::nullopt;
  return std::pair(mine, theirs);
}

}  // namespace

Rule mismatched_types() {
  Rule rule;
  rule.id = "mismatched-types";
  rule.title = "Values of different kinds compared";
  rule.message = "the two are not of one kind";
  rule.severity = Severity::Medium;
  rule.level = Level::Warn;
  rule.category = Category::Types;
  rule.why =
      "Some engines fail, others cast row by row and match what is not equal, without an index.";
  rule.dialect = "postgres";
  rule.bad =
      "SELECT o.order_id, c.name FROM orders AS o JOIN customers AS c ON c.name = o.order_id";
  rule.good =
      "SELECT o.order_id, c.name FROM orders AS o JOIN customers AS c ON c.customer_id = "
      "o.customer_id";
  rule.fix = "rewrite-mismatched-types";
  rule.fix_title = "Compare columns of one type, or cast the value";
  rule.fix_safety = Safety::Review;
  rule.needs = Needs::Schema;
  rule.on_expression = [](const Site& site, const Expression& node, Report& report) {
    const auto comparison = ComparisonOf(node);
    if (!comparison) return;
    const catalog::Column* column = ColumnOf(site, comparison->column);
    if (column == nullptr) return;
    if (const auto pair = Mismatch(site, *column, *comparison->other))
      report.At(node.begin, node.end,
                fmt::format("column \"{}\" holds {} and is compared with {}", column->name,
                            WordOf(pair->first), WordOf(pair->second)));
  };
  return rule;
}

}  // namespace schemaward::review
